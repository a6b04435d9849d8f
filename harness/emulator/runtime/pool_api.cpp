// Memory pools: names, attributes, and counts of what is in use (memory_pool.h).
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
    CUmemPoolHandle_st* const in_use = d.pool_in_use();
    *pool = is_default ? d.default_pool : in_use;
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
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUmemPoolHandle_st* const p = pool_of(d, caller, pool);
    if (p == nullptr) return cudaErrorInvalidValue;
    p->keep(bytes);
    return cudaSuccess;
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
    if (attribute == cudaMemPoolAttrUsedMemHigh)
      p->most_used = p->used;
    else
      p->most_reserved = p->reserved;
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
    *wide = attribute == cudaMemPoolAttrReleaseThreshold     ? p->values[attribute]
            : attribute == cudaMemPoolAttrReservedMemCurrent ? p->reserved
            : attribute == cudaMemPoolAttrReservedMemHigh    ? p->most_reserved
            : attribute == cudaMemPoolAttrUsedMemCurrent     ? p->used
                                                             : p->most_used;
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
  CUmemPoolHandle_st* from = nullptr;
  const cudaError_t e = cuda_call(caller, [&](device& d) -> error_code {
    from = pool_of(d, caller, pool);
    return from == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
  return e == cudaSuccess ? allocate_in(caller, where, bytes, from, stream) : e;
}

}  // extern "C"
