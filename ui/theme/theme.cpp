#include "ui/theme/theme.h"

#include <cmath>

#include "ui/theme/appearance.h"

namespace ui {

namespace {

QColor hex(const char* name) {
  return QColor(QLatin1String(name));
}

}  // namespace

// Hues after Paul Tol's sets; chosen for distance under simulated colour blindness, each 3:1 or more on its ground.
Theme lightTheme() {
  Theme t;
  t.ground = hex("#F7F8FA");
  t.surface = hex("#FFFFFF");
  t.raised = hex("#EEF1F4");
  t.sunken = hex("#E6EAEE");
  t.border = hex("#D3D9DF");
  t.strong = hex("#7F8995");
  t.text = hex("#1B1F24");
  t.muted = hex("#525D69");
  t.accent = hex("#0B57A4");
  t.onAccent = hex("#FFFFFF");
  t.axes = {hex("#332288"), hex("#EE3377"), hex("#009988"), hex("#117733"), hex("#AA4499"), hex("#882255")};
  t.axisNone = hex("#56606B");
  t.memory = {hex("#262B31"), hex("#56606B"), hex("#8994A0"), hex("#BBC3CB"), hex("#E4E8EC"), hex("#F7F8FA")};
  t.good = hex("#117733");
  t.warning = hex("#B26B00");
  t.error = hex("#B3261E");
  t.information = hex("#0B57A4");
  return t;
}

Theme darkTheme() {
  Theme t;
  t.dark = true;
  t.ground = hex("#1B1E23");
  t.surface = hex("#24282E");
  t.raised = hex("#2C3138");
  t.sunken = hex("#15181C");
  t.border = hex("#3A414A");
  t.strong = hex("#77828F");
  t.text = hex("#E8EBEE");
  t.muted = hex("#A6B0BB");
  t.accent = hex("#8AB8F0");
  t.onAccent = hex("#11161C");
  t.axes = {hex("#0072B2"), hex("#CCBB44"), hex("#66CCEE"), hex("#BB5566"), hex("#CC79A7"), hex("#999933")};
  t.axisNone = hex("#8994A0");
  t.memory = {hex("#E4E8EC"), hex("#BBC3CB"), hex("#8994A0"), hex("#56606B"), hex("#3A424B"), hex("#262B31")};
  t.good = hex("#6FCF97");
  t.warning = hex("#F2B84B");
  t.error = hex("#FF8A80");
  t.information = hex("#8AB8F0");
  return t;
}

Theme highContrastTheme(bool dark) {
  Theme t = dark ? darkTheme() : lightTheme();
  t.highContrast = true;
  t.ground = dark ? hex("#000000") : hex("#FFFFFF");
  t.surface = t.ground;
  t.raised = dark ? hex("#141414") : hex("#F2F2F2");
  t.sunken = t.raised;
  t.border = dark ? hex("#B8B8B8") : hex("#4A4A4A");
  t.strong = dark ? hex("#FFFFFF") : hex("#000000");
  t.text = t.strong;
  t.muted = dark ? hex("#E0E0E0") : hex("#2A2A2A");
  t.accent = dark ? hex("#FFD54A") : hex("#003E7E");
  t.onAccent = dark ? hex("#000000") : hex("#FFFFFF");
  if (!dark) t.warning = hex("#7A4700");
  if (dark) t.axes[0] = hex("#4FA3E0");
  return t;
}

double contrast(const QColor& a, const QColor& b) {
  auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  auto luminance = [&](const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
  };
  double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share) {
  auto part = [&](double x, double y) { return static_cast<float>(x + (y - x) * share); };
  return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()),
                          part(a.alphaF(), b.alphaF()));
}

QColor textOn(const QColor& ground) {
  static const QColor dark = hex("#14181C"), light = hex("#FFFFFF");
  return contrast(dark, ground) >= contrast(light, ground) ? dark : light;
}

QPalette paletteOf(const Theme& t) {
  QPalette p(t.raised, t.ground);
  p.setColor(QPalette::Window, t.ground);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.surface);
  p.setColor(QPalette::AlternateBase, mix(t.surface, t.raised, 0.6));
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::Button, t.raised);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::ToolTipBase, t.text);
  p.setColor(QPalette::ToolTipText, t.surface);
  p.setColor(QPalette::PlaceholderText, t.muted);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.onAccent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::Light, t.raised);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Dark, t.strong);
  p.setColor(QPalette::Shadow, t.border);
  p.setColor(QPalette::BrightText, t.error);
  for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, mix(t.muted, t.ground, 0.35));
  p.setColor(QPalette::Disabled, QPalette::Highlight, t.border);
  return p;
}

}  // namespace ui
