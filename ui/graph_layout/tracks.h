#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace ui {

// The space between two rows: sideways stretches of edges, each on a track where it overlaps none of another net.
class Channel {
 public:
  // A stretch of a net from the x where it comes from above to the x where it goes on downward.
  void add(std::size_t net, double from, double to);
  void assign();
  int count() const { return count_; }  // of tracks
  int track(std::size_t net) const;     // from the top; 0 for a net that goes straight

 private:
  struct Stretch {
    double from = 0;
    double left = 0, right = 0;
    bool toRight = true;
    int track = 0;
  };
  std::map<std::size_t, Stretch> stretches_;
  int count_ = 0;
};

}  // namespace ui
