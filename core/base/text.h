#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

std::string_view trim(std::string_view text);  // without white space at both ends

// split("a;b", ';') -> "a", "b"; parts keep their white space; "" has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);
// Parts between any of the separators, empty ones left out: words("data:4, model:2", ", ") -> "data:4", "model:2".
std::vector<std::string_view> words(std::string_view text, std::string_view separators = " \t\n\r");

std::string join(std::span<const std::string> parts, std::string_view between);

// `*` is any run of characters, `?` any one: globMatch("h.*.weight", "h.0.attn.weight").
bool globMatch(std::string_view pattern, std::string_view text);
bool isGlob(std::string_view pattern);  // holds a * or ?

std::size_t editDistance(std::string_view a,
                         std::string_view b);  // insertions, deletions, exchanges; case does not count
// The candidate that was probably meant; none when nothing is near.
std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> candidates);
// For Error::right: "did you mean \"batch\"?", else "one of a, b, c" (the first dozen).
std::string didYouMean(std::string_view wanted, std::span<const std::string> candidates);

// A whole number, all of the text; none when it is not one or does not fit.
std::optional<std::int64_t> parseInteger(std::string_view text);

}  // namespace core
