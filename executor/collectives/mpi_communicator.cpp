#include "executor/collectives/mpi_communicator.h"

#include <mpi.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>

#include "core/base/error.h"

namespace executor {
namespace {

MPI_Datatype typeOf(core::DType dtype) {
  switch (dtype) {
    case core::DType::f32: return MPI_FLOAT;
    case core::DType::f64: return MPI_DOUBLE;
    case core::DType::i32: return MPI_INT32_T;
    case core::DType::i64: return MPI_INT64_T;
    case core::DType::boolean: return MPI_UINT8_T;
    case core::DType::bf16:
    case core::DType::f16: return MPI_UINT16_T;  // moved, never added up: the kernels refuse them first
  }
  return MPI_BYTE;
}

MPI_Op operationOf(core::Reduction reduction) {
  switch (reduction) {
    case core::Reduction::sum: return MPI_SUM;
    case core::Reduction::product: return MPI_PROD;
    case core::Reduction::max: return MPI_MAX;
    case core::Reduction::min: return MPI_MIN;
    case core::Reduction::logicalAnd: return MPI_LAND;
    case core::Reduction::logicalOr: return MPI_LOR;
  }
  return MPI_OP_NULL;
}

// A part of a call that MPI can count.
struct Chunk {
  std::int64_t at = 0;
  int count = 0;
};

std::vector<Chunk> chunksOf(std::int64_t count, std::int64_t most) {
  std::vector<Chunk> chunks;
  for (std::int64_t at = 0; at < count; at += most) chunks.push_back({at, static_cast<int>(std::min(most, count - at))});
  return chunks;
}

// `count` elements of each member's part, the parts a stride apart.
class PartType {
 public:
  PartType(MPI_Datatype element, int count, std::int64_t strideBytes) {
    MPI_Datatype part;
    MPI_Type_contiguous(count, element, &part);
    MPI_Type_create_resized(part, 0, static_cast<MPI_Aint>(strideBytes), &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&part);
  }
  ~PartType() { MPI_Type_free(&type_); }
  PartType(const PartType&) = delete;
  PartType& operator=(const PartType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// Issues one call, in chunks: waiting for each, or leaving requests behind.
class Issue {
 public:
  Issue(const Call& call, MPI_Comm group, int members, std::int64_t most, bool blocks, std::vector<MPI_Request>& requests)
      : call_(call), group_(group), members_(members), most_(most), blocks_(blocks), requests_(requests), type_(typeOf(call.dtype)), elementBytes_(core::byteSize(call.dtype)) {}

  void allReduce() {
    for (const Chunk& one : chunksOf(call_.count, most_)) {
      const void* send = call_.send == call_.receive ? MPI_IN_PLACE : static_cast<const void*>(call_.send + one.at * elementBytes_);
      void* receive = call_.receive + one.at * elementBytes_;
      if (blocks_) MPI_Allreduce(send, receive, one.count, type_, operationOf(call_.reduction), group_);
      else MPI_Iallreduce(send, receive, one.count, type_, operationOf(call_.reduction), group_, request());
    }
  }

  void allGather() {
    if (call_.count <= most_) {
      const int count = static_cast<int>(call_.count);
      if (blocks_) MPI_Allgather(call_.send, count, type_, call_.receive, count, type_, group_);
      else MPI_Iallgather(call_.send, count, type_, call_.receive, count, type_, group_, request());
      return;
    }
    for (const Chunk& one : chunksOf(call_.count, most_)) {
      const PartType part(type_, one.count, call_.count * elementBytes_);
      MPI_Iallgather(call_.send + one.at * elementBytes_, one.count, type_, call_.receive + one.at * elementBytes_, 1, part.get(), group_, request());
    }
  }

  void allToAll() {
    if (call_.count <= most_) {
      const int count = static_cast<int>(call_.count);
      if (blocks_) MPI_Alltoall(call_.send, count, type_, call_.receive, count, type_, group_);
      else MPI_Ialltoall(call_.send, count, type_, call_.receive, count, type_, group_, request());
      return;
    }
    for (const Chunk& one : chunksOf(call_.count, most_)) {
      const PartType part(type_, one.count, call_.count * elementBytes_);
      MPI_Ialltoall(call_.send + one.at * elementBytes_, 1, part.get(), call_.receive + one.at * elementBytes_, 1, part.get(), group_, request());
    }
  }

  void reduceScatter() {
    if (call_.count <= most_) {
      const int count = static_cast<int>(call_.count);
      if (blocks_) MPI_Reduce_scatter_block(call_.send, call_.receive, count, type_, operationOf(call_.reduction), group_);
      else MPI_Ireduce_scatter_block(call_.send, call_.receive, count, type_, operationOf(call_.reduction), group_, request());
      return;
    }
    for (int member = 0; member < members_; ++member)
      for (const Chunk& one : chunksOf(call_.count, most_))
        MPI_Ireduce(call_.send + (member * call_.count + one.at) * elementBytes_, call_.receive + one.at * elementBytes_, one.count, type_, operationOf(call_.reduction), member, group_, request());
  }

  void broadcast() {
    int self = 0;
    MPI_Comm_rank(group_, &self);
    if (self == 0 && call_.send != call_.receive && call_.count > 0) std::memcpy(call_.receive, call_.send, static_cast<std::size_t>(call_.count * elementBytes_));
    for (const Chunk& one : chunksOf(call_.count, most_)) MPI_Ibcast(call_.receive + one.at * elementBytes_, one.count, type_, 0, group_, request());
  }

  // Messages between two ranks keep their order, so the chunks of one match.
  void exchange(int tag) {
    for (const Message& one : call_.receives)
      for (const Chunk& part : chunksOf(one.bytes, most_)) MPI_Irecv(one.data + part.at, part.count, MPI_BYTE, static_cast<int>(one.peer), tag, MPI_COMM_WORLD, request());
    for (const Message& one : call_.sends)
      for (const Chunk& part : chunksOf(one.bytes, most_)) MPI_Isend(one.data + part.at, part.count, MPI_BYTE, static_cast<int>(one.peer), tag, MPI_COMM_WORLD, request());
  }

 private:
  MPI_Request* request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  const Call& call_;
  MPI_Comm group_;
  int members_;
  std::int64_t most_;
  bool blocks_;
  std::vector<MPI_Request>& requests_;
  MPI_Datatype type_;
  std::int64_t elementBytes_;
};

}  // namespace

struct MpiCommunicator::State {
  core::Mesh mesh;
  std::int64_t chunk = 0;
  std::int64_t rank = 0;
  std::map<core::AxisList, MPI_Comm> groups;
  std::map<int, std::vector<MPI_Request>> pending;
  int next = 0;
  int exchanges = 0;

  // All ranks ask for groups in the same order, so that this collective call meets.
  MPI_Comm group(const core::AxisList& axes) {
    const auto found = groups.find(axes);
    if (found != groups.end()) return found->second;
    const std::vector<std::int64_t> members = groupOf(mesh, axes, rank);
    const auto place = std::find(members.begin(), members.end(), rank) - members.begin();
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(members.front()), static_cast<int>(place), &made);
    return groups.emplace(axes, made).first->second;
  }

  void issue(const Call& call, bool blocks, std::vector<MPI_Request>& requests) {
    if (call.kind == Call::Kind::exchange) {
      constexpr int tags = 1 << 14;  // MPI guarantees 32767
      Issue(call, MPI_COMM_WORLD, 0, chunk, false, requests).exchange(exchanges++ % tags);
      return;
    }
    Issue one(call, group(call.axes), static_cast<int>(mesh.size(call.axes)), chunk, blocks, requests);
    switch (call.kind) {
      case Call::Kind::allReduce: return one.allReduce();
      case Call::Kind::allGather: return one.allGather();
      case Call::Kind::reduceScatter: return one.reduceScatter();
      case Call::Kind::allToAll: return one.allToAll();
      case Call::Kind::broadcast: return one.broadcast();
      case Call::Kind::exchange: return;
    }
  }
};

MpiCommunicator::MpiCommunicator(core::Mesh mesh, std::int64_t chunk) : state_(std::make_unique<State>()) {
  int world = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &world);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (world != mesh.devices())
    throw core::Error{.what = "started with " + std::to_string(world) + " ranks, but mesh " + core::print(mesh) + " has " + std::to_string(mesh.devices()) + " devices",
                      .where = "",
                      .right = "mpirun -n " + std::to_string(mesh.devices())};
  state_->mesh = std::move(mesh);
  state_->chunk = chunk;
  state_->rank = rank;
}

MpiCommunicator::~MpiCommunicator() {
  for (auto& [axes, group] : state_->groups) MPI_Comm_free(&group);
}

const core::Mesh& MpiCommunicator::mesh() const { return state_->mesh; }
std::span<const std::int64_t> MpiCommunicator::ranks() const { return {&state_->rank, 1}; }

int MpiCommunicator::start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) {
  assert(calls.size() == 1 && "an MPI process is one rank");
  std::vector<MPI_Request>& requests = state_->pending[state_->next];
  for (const Call& call : calls[0]) state_->issue(call, waitedAtOnce, requests);
  return state_->next++;
}

void MpiCommunicator::wait(int ticket) {
  const auto found = state_->pending.find(ticket);
  assert(found != state_->pending.end() && "a wait has its start");
  MPI_Waitall(static_cast<int>(found->second.size()), found->second.data(), MPI_STATUSES_IGNORE);
  state_->pending.erase(found);
}

}  // namespace executor
