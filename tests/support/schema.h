#pragma once

#include <string>

// Checks JSON against the schemas of resources/schemas, as far as those use JSON Schema: type, properties, required,
// additionalProperties, propertyNames, items, enum, const, anyOf, minimum, minLength, minItems, maxItems, $ref to $defs.

// What does not fit, with its path; empty when all does. `schema` is a name: "plan".
std::string schemaComplaint(const std::string& text, const std::string& schema);
