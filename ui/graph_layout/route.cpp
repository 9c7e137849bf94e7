#include "ui/graph_layout/route.h"

#include <algorithm>
#include <map>

#include "ui/graph_layout/corridor.h"
#include "ui/graph_layout/isotonic.h"
#include "ui/graph_layout/tracks.h"

namespace ui {

namespace {

constexpr double portGap = 14, portMargin = 12, trackGap = 9, laneGap = 12, margin = 16;

// Edges that leave one box as one value.
struct Net {
  int from = 0;
  std::vector<int> edges;
  double out = 0;       // x where it leaves
  double column = 0;    // x of its way past rows, if it has one
  int lastRow = 0;      // the farthest row that it enters
  bool passes = false;  // it goes past a row
};

class Router {
 public:
  Router(const LevelGraph& graph, const LevelPlacement& placement) : graph_(graph), placement_(placement) {}

  LevelLayout run() {
    measure();
    collectNets();
    leaveBoxes();
    passRows();
    enterBoxes();
    layTracks();
    placeRows();
    draw();
    return std::move(layout_);
  }

 private:
  int row(int box) const { return placement_.rows[static_cast<std::size_t>(box)]; }
  double left(int box) const { return placement_.boxes[static_cast<std::size_t>(box)].x(); }
  double width(int box) const { return graph_.boxes[static_cast<std::size_t>(box)].width(); }
  double centre(int box) const { return left(box) + width(box) / 2; }
  bool forward(const LevelEdge& e) const { return !e.back && row(e.from) < row(e.to); }

  void measure() {
    rows_ = 0;
    for (int r : placement_.rows) rows_ = std::max(rows_, r + 1);
    heights_.assign(static_cast<std::size_t>(rows_), 0);
    corridors_ = Corridors(rows_);
    for (std::size_t b = 0; b < graph_.boxes.size(); ++b) {
      auto r = static_cast<std::size_t>(placement_.rows[b]);
      heights_[r] = std::max(heights_[r], graph_.boxes[b].height());
      corridors_.block(placement_.rows[b], left(static_cast<int>(b)) - 8,
                       left(static_cast<int>(b)) + graph_.boxes[b].width() + 8);
    }
  }

  void collectNets() {
    std::map<std::pair<int, int>, std::size_t> known;
    netOf_.assign(graph_.edges.size(), 0);
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const LevelEdge& edge = graph_.edges[e];
      std::pair key{edge.from, edge.net >= 0 ? edge.net : -2 - static_cast<int>(e)};
      auto [at, isNew] = known.try_emplace(key, nets_.size());
      if (isNew) nets_.push_back({.from = edge.from, .edges = {}});
      netOf_[e] = at->second;
      Net& net = nets_[at->second];
      net.edges.push_back(static_cast<int>(e));
      if (!forward(edge)) continue;
      net.lastRow = std::max(net.lastRow, row(edge.to));
      net.passes |= row(edge.to) > row(edge.from) + 1;
    }
  }

  // Where each net leaves its box: asked-for places as they are, others spread over the lower edge by where they lead.
  void leaveBoxes() {
    std::vector<std::vector<std::size_t>> byBox(graph_.boxes.size());
    for (std::size_t n = 0; n < nets_.size(); ++n) byBox[static_cast<std::size_t>(nets_[n].from)].push_back(n);
    for (std::size_t b = 0; b < byBox.size(); ++b) {
      auto& nets = byBox[b];
      auto lead = [&](std::size_t n) {
        double sum = 0;
        for (int e : nets_[n].edges)
          sum += graph_.edges[static_cast<std::size_t>(e)].back ? 1e6
                                                                : centre(graph_.edges[static_cast<std::size_t>(e)].to);
        return sum / static_cast<double>(nets_[n].edges.size());
      };
      std::stable_sort(nets.begin(), nets.end(), [&](std::size_t x, std::size_t y) { return lead(x) < lead(y); });
      std::vector<double> wanted;
      for (std::size_t i = 0; i < nets.size(); ++i) {
        double at = graph_.edges[static_cast<std::size_t>(nets_[nets[i]].edges[0])].fromAt;
        double shift = (static_cast<double>(i) - (static_cast<double>(nets.size()) - 1) / 2) * portGap;
        wanted.push_back(at >= 0 ? left(static_cast<int>(b)) + at : centre(static_cast<int>(b)) + shift);
      }
      std::vector<double> placed = withinEdge(static_cast<int>(b), wanted, portGap);
      for (std::size_t i = 0; i < nets.size(); ++i) {
        bool asked = graph_.edges[static_cast<std::size_t>(nets_[nets[i]].edges[0])].fromAt >= 0;
        nets_[nets[i]].out = asked ? wanted[i] : placed[i];
      }
    }
  }

  std::vector<double> withinEdge(int box, const std::vector<double>& wanted, double gap) const {
    double room = std::max(0.0, width(box) - 2 * portMargin);
    if (wanted.size() > 1) gap = std::min(gap, room / static_cast<double>(wanted.size() - 1));
    std::vector<double> placed =
        spread(wanted, std::vector<double>(wanted.size(), 1), std::vector<double>(wanted.size(), gap));
    double low = left(box) + std::min(portMargin, width(box) / 2),
           high = left(box) + width(box) - std::min(portMargin, width(box) / 2);
    for (std::size_t i = 0; i < placed.size(); ++i)
      placed[i] = std::clamp(
          placed[i], low + gap * static_cast<double>(i),
          std::max(low + gap * static_cast<double>(i), high - gap * static_cast<double>(placed.size() - 1 - i)));
    return placed;
  }

  void passRows() {
    std::vector<std::size_t> long_;
    for (std::size_t n = 0; n < nets_.size(); ++n)
      if (nets_[n].passes) long_.push_back(n);
    // Short ways first: they have the least choice.
    std::stable_sort(long_.begin(), long_.end(), [&](std::size_t a, std::size_t b) {
      return nets_[a].lastRow - row(nets_[a].from) < nets_[b].lastRow - row(nets_[b].from);
    });
    for (std::size_t n : long_) {
      Net& net = nets_[n];
      std::vector<double> near{net.out};
      for (int e : net.edges)
        if (const LevelEdge& edge = graph_.edges[static_cast<std::size_t>(e)];
            forward(edge) && row(edge.to) > row(edge.from) + 1)
          near.push_back(edge.toAt >= 0 ? left(edge.to) + edge.toAt
                                        : std::clamp(net.out, left(edge.to) + portMargin,
                                                     std::max(left(edge.to) + portMargin,
                                                              left(edge.to) + width(edge.to) - portMargin)));
      net.column = corridors_.find(row(net.from) + 1, net.lastRow - 1, near);
      for (int r = row(net.from) + 1; r < net.lastRow; ++r) corridors_.block(r, net.column - 5, net.column + 5);
    }
  }

  // Where an edge comes from as its target sees it.
  double approach(std::size_t e) const {
    const Net& net = nets_[netOf_[e]];
    const LevelEdge& edge = graph_.edges[e];
    if (!forward(edge)) return 1e6;  // from the lane at the right
    return row(edge.to) > row(edge.from) + 1 ? net.column : net.out;
  }

  void enterBoxes() {
    in_.assign(graph_.edges.size(), 0);
    std::vector<std::vector<std::size_t>> byBox(graph_.boxes.size());
    for (std::size_t e = 0; e < graph_.edges.size(); ++e)
      byBox[static_cast<std::size_t>(graph_.edges[e].to)].push_back(e);
    for (std::size_t b = 0; b < byBox.size(); ++b) {
      auto& edges = byBox[b];
      int box = static_cast<int>(b);
      std::stable_sort(edges.begin(), edges.end(),
                       [&](std::size_t x, std::size_t y) { return approach(x) < approach(y); });
      std::vector<double> wanted;
      double low = left(box) + std::min(portMargin, width(box) / 2),
             high = left(box) + width(box) - std::min(portMargin, width(box) / 2);
      for (std::size_t e : edges)
        wanted.push_back(graph_.edges[e].toAt >= 0 ? left(box) + graph_.edges[e].toAt
                                                   : std::clamp(approach(e), low, std::max(low, high)));
      std::vector<double> placed = withinEdge(box, wanted, portGap);
      for (std::size_t i = 0; i < edges.size(); ++i)
        in_[edges[i]] = graph_.edges[edges[i]].toAt >= 0 ? wanted[i] : placed[i];
    }
  }

  // Channel c lies above row c. Each crossing of a channel sideways takes a track; one net takes one track a channel.
  void layTracks() {
    channels_.resize(static_cast<std::size_t>(rows_) + 1);
    double rightmost = 0;
    for (std::size_t b = 0; b < graph_.boxes.size(); ++b)
      rightmost = std::max(rightmost, left(static_cast<int>(b)) + graph_.boxes[b].width());
    for (const Net& net : nets_)
      if (net.passes) rightmost = std::max(rightmost, net.column);
    int lanes = 0;
    lane_.assign(nets_.size(), 0);
    for (std::size_t n = 0; n < nets_.size(); ++n) {
      const Net& net = nets_[n];
      for (int e : net.edges) {
        const LevelEdge& edge = graph_.edges[static_cast<std::size_t>(e)];
        int below = row(edge.from) + 1;
        double in = in_[static_cast<std::size_t>(e)];
        if (!forward(edge)) {
          if (lane_[n] == 0) lane_[n] = rightmost + laneGap * ++lanes + 6;
          channels_[static_cast<std::size_t>(below)].add(n, net.out, lane_[n]);
          channels_[static_cast<std::size_t>(row(edge.to))].add(n + nets_.size(), lane_[n], in);
        } else if (row(edge.to) == below) {
          channels_[static_cast<std::size_t>(below)].add(n, net.out, in);
        } else {
          channels_[static_cast<std::size_t>(below)].add(n, net.out, net.column);
          channels_[static_cast<std::size_t>(row(edge.to))].add(n + nets_.size(), net.column, in);
        }
      }
    }
    for (Channel& channel : channels_) channel.assign();
  }

  void placeRows() {
    double y = 0;
    tops_.clear();
    channelTops_.clear();
    for (int r = 0; r <= rows_; ++r) {
      const Channel& channel = channels_[static_cast<std::size_t>(r)];
      channelTops_.push_back(y);
      bool outer = r == 0 || r == rows_;
      double need = channel.count() > 0 ? 2 * margin + trackGap * (channel.count() - 1) : 0;
      double gap = outer ? (channel.count() > 0 ? need : 0) : std::max(graph_.rowGap, need);
      channelHeights_.push_back(gap);
      y += gap;
      if (r == rows_) break;
      tops_.push_back(y);
      y += heights_[static_cast<std::size_t>(r)];
    }
    height_ = y;
  }

  double trackY(int channel, std::size_t net) const {
    const Channel& c = channels_[static_cast<std::size_t>(channel)];
    double middle =
        channelTops_[static_cast<std::size_t>(channel)] + channelHeights_[static_cast<std::size_t>(channel)] / 2;
    return middle + (c.track(net) - (c.count() - 1) / 2.0) * trackGap;
  }

  void draw() {
    layout_.boxes.reserve(graph_.boxes.size());
    for (std::size_t b = 0; b < graph_.boxes.size(); ++b) {
      auto r = static_cast<std::size_t>(placement_.rows[b]);
      double y = tops_[r] + (heights_[r] - graph_.boxes[b].height()) / 2;
      if (graph_.end(b) == LevelEnd::bottom) y = height_ - graph_.boxes[b].height();
      if (graph_.end(b) == LevelEnd::top) y = 0;
      layout_.boxes.push_back({QPointF(left(static_cast<int>(b)), y), graph_.boxes[b]});
    }
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) layout_.routes.push_back(routeOf(e));
    QRectF all;
    for (const QRectF& box : layout_.boxes) all |= box.adjusted(0, 0, 0.01, 0.01);
    for (const LevelRoute& route : layout_.routes)
      for (QPointF p : route.points) all |= QRectF(p, QSizeF(0.01, 0.01));
    for (QRectF& box : layout_.boxes) box.translate(-all.left(), 0);
    for (LevelRoute& route : layout_.routes)
      for (QPointF& p : route.points) p.rx() -= all.left();
    layout_.size = {all.width(), height_};
  }

  LevelRoute routeOf(std::size_t e) const {
    const LevelEdge& edge = graph_.edges[e];
    std::size_t n = netOf_[e];
    const Net& net = nets_[n];
    int below = row(edge.from) + 1;
    LevelRoute route;
    auto to = [&](double x, double y) {
      auto& p = route.points;
      if (p.size() >= 2 && p[p.size() - 1].x() == p[p.size() - 2].x() && p.back().x() == x) p.pop_back();
      p.push_back({x, y});
    };
    auto sideways = [&](int channel, std::size_t key, double from, double x) {
      if (from == x) return;
      double y = trackY(channel, key);
      to(from, y);
      to(x, y);
    };
    to(net.out, layout_.boxes[static_cast<std::size_t>(edge.from)].bottom());
    if (!forward(edge)) {
      sideways(below, n, net.out, lane_[n]);
      sideways(row(edge.to), n + nets_.size(), lane_[n], in_[e]);
    } else if (row(edge.to) == below) {
      sideways(below, n, net.out, in_[e]);
    } else {
      sideways(below, n, net.out, net.column);
      sideways(row(edge.to), n + nets_.size(), net.column, in_[e]);
    }
    to(in_[e], layout_.boxes[static_cast<std::size_t>(edge.to)].top());
    return route;
  }

  const LevelGraph& graph_;
  const LevelPlacement& placement_;
  int rows_ = 0;
  double height_ = 0;
  std::vector<double> heights_, tops_, channelTops_, channelHeights_, in_, lane_;
  Corridors corridors_{0};
  std::vector<Net> nets_;
  std::vector<std::size_t> netOf_;
  std::vector<Channel> channels_;
  LevelLayout layout_;
};

}  // namespace

LevelLayout route(const LevelGraph& graph, const LevelPlacement& placement) {
  return Router(graph, placement).run();
}

}  // namespace ui
