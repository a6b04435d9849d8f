// Memory pools. Every allocation comes from the device's memory, whatever its pool: a pool is a name and its attributes.
#include <algorithm>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/memory_pool.h"

using namespace simtlab::emulator;

namespace {

/// Null after a report.
CUmemPoolHandle_st* pool_of(device& d, const api_caller& caller, cudaMemPool_t pool) {
  CUmemPoolHandle_st* const living = d.pools.find(pool);
  if (living == nullptr)
    d.report_host(rule::invalid_address, caller.where, "",
                  std::string(caller.function) +
                      ": this is no memory pool that cudaMemPoolCreate or cudaDeviceGetDefaultMemPool gave, or it was "
                      "destroyed. Is its variable set, and did the call that gives it succeed?");
  return living;
}

cudaError_t give(const api_caller& caller, cudaMemPool_t* pool, int number, bool is_default) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, pool)) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    if (d.default_pool == nullptr) d.default_pool = d.current_pool = d.pools.make();
    *pool = is_default ? d.default_pool : d.current_pool;
    return cudaSuccess;
  });
}

bool is_switch(cudaMemPoolAttr attribute) { return attribute <= cudaMemPoolReuseAllowInternalDependencies; }

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
  return give(SIMTLAB_API_CALLER, pool, number, true);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
  return give(SIMTLAB_API_CALLER, pool, number, false);
}
cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (number != 0) return cudaErrorInvalidDevice;
    if (pool_of(d, caller, pool) == nullptr) return cudaErrorInvalidValue;
    d.current_pool = pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, pool) || !caller.may_load(d, properties)) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;  // there is one process
    if (properties->location.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    *pool = d.pools.make();
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (pool_of(d, caller, pool) == nullptr || pool == d.default_pool) return cudaErrorInvalidValue;
    if (pool == d.current_pool) d.current_pool = d.default_pool;
    d.pools.destroy(pool);
    return cudaSuccess;
  });
}
/// Nothing is kept that could be given back.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    return pool_of(d, caller, pool) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUmemPoolHandle_st* const p = pool_of(d, caller, pool);
    if (p == nullptr) return cudaErrorInvalidValue;
    if (is_switch(attribute)) {
      if (!caller.may_load(d, static_cast<const int*>(value))) return cudaErrorInvalidValue;
      p->values[attribute] = static_cast<unsigned>(*static_cast<const int*>(value));
      return cudaSuccess;
    }
    const auto* const wide = static_cast<const std::uint64_t*>(value);
    if (!caller.may_load(d, wide)) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      p->values[attribute] = *wide;
      return cudaSuccess;
    }
    const bool is_high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    if (!is_high || *wide != 0) return cudaErrorInvalidValue;  // what was used at most may be begun anew
    p->most_used = d.memory.allocated();
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUmemPoolHandle_st* const p = pool_of(d, caller, pool);
    if (p == nullptr || attribute < cudaMemPoolReuseFollowEventDependencies || attribute > cudaMemPoolAttrUsedMemHigh)
      return cudaErrorInvalidValue;
    if (is_switch(attribute)) {
      if (!caller.may_set(d, static_cast<int*>(value))) return cudaErrorInvalidValue;
      *static_cast<int*>(value) = static_cast<int>(p->values[attribute]);
      return cudaSuccess;
    }
    auto* const wide = static_cast<std::uint64_t*>(value);
    if (!caller.may_set(d, wide)) return cudaErrorInvalidValue;
    const bool is_high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    p->most_used = std::max<std::uint64_t>(p->most_used, d.memory.allocated());
    *wide = attribute == cudaMemPoolAttrReleaseThreshold ? p->values[attribute]
            : is_high                                    ? p->most_used
                                                         : d.memory.allocated();
    return cudaSuccess;
  });
}
/// The one device reaches its own memory, and no other asks.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* all, size_t count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (pool_of(d, caller, pool) == nullptr || !caller.may_read(d, all, count * sizeof *all))
      return cudaErrorInvalidValue;
    const bool are_own = std::all_of(all, all + count, [](const cudaMemAccessDesc& a) {
      return a.location.type == cudaMemLocationTypeDevice && a.location.id == 0;
    });
    return are_own ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* place) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (pool_of(d, caller, pool) == nullptr || !caller.may_set(d, flags) || !caller.may_load(d, place))
      return cudaErrorInvalidValue;
    const bool is_own = place->type == cudaMemLocationTypeDevice && place->id == 0;
    *flags = is_own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocFromPoolAsync(void** where, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  const cudaError_t e = cuda_call(caller, [&](device& d) -> error_code {
    return pool_of(d, caller, pool) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
  return e == cudaSuccess ? allocate_in(caller, where, bytes, stream) : e;
}

}  // extern "C"
