#include "executor/collectives/in_process.h"

#include <cassert>
#include <cstring>
#include <numeric>

#include "executor/collectives/reduce.h"

namespace executor {
namespace {

using Bytes = std::vector<std::byte>;
using Members = std::vector<const Call*>;  // of one group, in its order

std::size_t bytesOf(const Call& call) { return static_cast<std::size_t>(call.count * core::byteSize(call.dtype)); }

void moveBytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 0) std::memmove(to, from, bytes);
}

void allReduce(const Members& members) {
  const Call& first = *members.front();
  Bytes sum(first.send, first.send + bytesOf(first));
  for (std::size_t i = 1; i < members.size(); ++i) reduceInto(first.dtype, first.reduction, members[i]->send, sum.data(), first.count);
  for (const Call* one : members) moveBytes(one->receive, sum.data(), sum.size());
}

void allGather(const Members& members) {
  const std::size_t bytes = bytesOf(*members.front());
  for (const Call* to : members)
    for (std::size_t i = 0; i < members.size(); ++i) moveBytes(to->receive + i * bytes, members[i]->send, bytes);
}

void reduceScatter(const Members& members) {
  const Call& first = *members.front();
  const std::size_t bytes = bytesOf(first);
  for (std::size_t i = 0; i < members.size(); ++i) {
    moveBytes(members[i]->receive, first.send + i * bytes, bytes);
    for (std::size_t j = 1; j < members.size(); ++j)
      reduceInto(first.dtype, first.reduction, members[j]->send + i * bytes, members[i]->receive, first.count);
  }
}

void allToAll(const Members& members) {
  const std::size_t bytes = bytesOf(*members.front());
  for (std::size_t to = 0; to < members.size(); ++to)
    for (std::size_t from = 0; from < members.size(); ++from) moveBytes(members[to]->receive + from * bytes, members[from]->send + to * bytes, bytes);
}

void broadcast(const Members& members) {
  for (const Call* to : members) moveBytes(to->receive, members.front()->send, bytesOf(*to));
}

// Messages to a rank must be just those that it waits for.
void exchange(const std::vector<std::vector<Call>>& calls, std::size_t at) {
  for (std::size_t from = 0; from < calls.size(); ++from)
    for (const Message& sent : calls[from][at].sends) {
      [[maybe_unused]] bool taken = false;
      for (const Message& wanted : calls[static_cast<std::size_t>(sent.peer)][at].receives) {
        if (wanted.peer != static_cast<std::int64_t>(from)) continue;
        assert(wanted.bytes == sent.bytes && "both sides agree on the size of a message");
        moveBytes(wanted.data, sent.data, static_cast<std::size_t>(sent.bytes));
        taken = true;
      }
      assert(taken && "a message that is sent is received");
    }
}

void carryOut(const Members& members) {
  switch (members.front()->kind) {
    case Call::Kind::allReduce: return allReduce(members);
    case Call::Kind::allGather: return allGather(members);
    case Call::Kind::reduceScatter: return reduceScatter(members);
    case Call::Kind::allToAll: return allToAll(members);
    case Call::Kind::broadcast: return broadcast(members);
    case Call::Kind::exchange: assert(false && "an exchange has no groups");
  }
}

}  // namespace

InProcessCommunicator::InProcessCommunicator(core::Mesh mesh) : mesh_(std::move(mesh)), ranks_(static_cast<std::size_t>(mesh_.devices())) {
  std::iota(ranks_.begin(), ranks_.end(), std::int64_t{0});
}

int InProcessCommunicator::start(std::span<const std::vector<Call>> calls, bool) {
  assert(calls.size() == ranks_.size());
  pending_.emplace(next_, std::vector<std::vector<Call>>(calls.begin(), calls.end()));
  return next_++;
}

void InProcessCommunicator::wait(int ticket) {
  const auto found = pending_.find(ticket);
  assert(found != pending_.end() && "a wait has its start");
  const std::vector<std::vector<Call>> calls = std::move(found->second);
  pending_.erase(found);
  for (std::size_t at = 0; at < calls.front().size(); ++at) {
    if (calls.front()[at].kind == Call::Kind::exchange) {
      exchange(calls, at);
      continue;
    }
    for (std::int64_t rank : ranks_) {
      const std::vector<std::int64_t> group = groupOf(mesh_, calls[static_cast<std::size_t>(rank)][at].axes, rank);
      if (group.front() != rank) continue;
      Members members;
      for (std::int64_t member : group) members.push_back(&calls[static_cast<std::size_t>(member)][at]);
      for ([[maybe_unused]] const Call* one : members)
        assert(one->kind == members.front()->kind && one->count == members.front()->count && "a group's members make one call");
      carryOut(members);
    }
  }
}

}  // namespace executor
