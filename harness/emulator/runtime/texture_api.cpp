// Texture objects: made and destroyed by host code, read by kernels.
#include <string>
#include <utility>

#include "core/closed_memory.h"
#include "include/cuda_runtime.h"
#include "include/simtlab/emulator_entry.h"
#include "runtime/api_call.h"
#include "runtime/cuda_error.h"
#include "runtime/texel_value.h"
#include "runtime/texture.h"
#include "runtime/virtual_gpu.h"
#include "scheduler/worker.h"
#include "trace/hook_state.h"

using namespace simtlab::emulator;

namespace {

/// Why an object cannot be made: a CUDA error number and a sentence.
struct obstacle {
  error_code error = cudaErrorInvalidValue;
  std::string text;
};

/// What linear memory and rows with a pitch have in common.
obstacle set_texels(texture& t, const cudaChannelFormatDesc& description, const void* memory) {
  const auto format = texel_format::from(description);
  if (!format)
    return {cudaErrorInvalidChannelDescriptor,
            "The channel description fits no texture: 1, 2 or 4 channels of equal 8, 16 or 32 bits, 16 or 32 of a "
            "float. cudaCreateChannelDesc<float>() and its like make one."};
  t.format = *format;
  t.base = static_cast<const char*>(memory);
  if (reinterpret_cast<address>(memory) % virtual_gpu::texture_alignment != 0)
    return {cudaErrorInvalidValue,
            "The memory of a texture begins at a multiple of " + std::to_string(virtual_gpu::texture_alignment) +
                " bytes (textureAlignment), as what cudaMalloc returns does; this pointer does not."};
  return {cudaSuccess, ""};
}

obstacle locate_linear(texture& t) {
  const auto& r = t.resource.res.linear;
  obstacle o = set_texels(t, r.desc, r.devPtr);
  if (o.error != cudaSuccess) return o;
  t.elements_only = true;
  t.extent[0] = static_cast<std::int64_t>(r.sizeInBytes / t.format.bytes());
  if (t.extent[0] == 0) return {cudaErrorInvalidValue, "sizeInBytes is less than one texel."};
  if (t.extent[0] > virtual_gpu::texture_linear_width)
    return {cudaErrorInvalidValue,
            "Linear memory of a texture has at most " + std::to_string(virtual_gpu::texture_linear_width) + " texels."};
  return o;
}

obstacle locate_pitched(texture& t) {
  const auto& r = t.resource.res.pitch2D;
  obstacle o = set_texels(t, r.desc, r.devPtr);
  if (o.error != cudaSuccess) return o;
  t.kind.dimensions = 2;
  t.extent = {static_cast<std::int64_t>(r.width), static_cast<std::int64_t>(r.height), 1};
  t.pitch = r.pitchInBytes;
  if (r.width == 0 || r.height == 0) return {cudaErrorInvalidValue, "A pitched texture needs a width and a height."};
  if (t.extent[0] > virtual_gpu::texture_pitched_width || t.extent[1] > virtual_gpu::texture_pitched_height)
    return {cudaErrorInvalidValue, "A pitched texture has at most " +
                                       std::to_string(virtual_gpu::texture_pitched_width) + " x " +
                                       std::to_string(virtual_gpu::texture_pitched_height) + " texels."};
  if (r.pitchInBytes % virtual_gpu::texture_pitch_alignment != 0)
    return {cudaErrorInvalidValue, "A texture's pitch is a multiple of " +
                                       std::to_string(virtual_gpu::texture_pitch_alignment) +
                                       " bytes (texturePitchAlignment); this one is " + std::to_string(r.pitchInBytes) +
                                       ". cudaMallocPitch gives rows such a pitch."};
  if (r.pitchInBytes < r.width * t.format.bytes())
    return {cudaErrorInvalidValue, "pitchInBytes is less than a row's " + std::to_string(r.width * t.format.bytes()) +
                                       " bytes: width counts texels, the pitch bytes."};
  return o;
}

obstacle locate_array(device& d, texture& t) {
  const cudaArray* a = d.arrays.find(t.resource.res.array.array);
  if (a == nullptr || !a->live)
    return {cudaErrorInvalidResourceHandle, a == nullptr ? "The array's handle was never returned by cudaMallocArray."
                                                         : "The array was already released."};
  t.format = a->format;
  t.base = a->memory;
  t.pitch = a->row_bytes();
  t.slice = t.pitch * a->rows();
  t.extent = {static_cast<std::int64_t>(a->extent.width), static_cast<std::int64_t>(a->rows()),
              static_cast<std::int64_t>(a->slices())};
  t.kind = a->kind();
  return {cudaSuccess, ""};
}

/// Fills in where the texels lie.
obstacle locate(device& d, texture& t) {
  switch (t.resource.resType) {
    case cudaResourceTypeLinear:
      return locate_linear(t);
    case cudaResourceTypePitch2D:
      return locate_pitched(t);
    case cudaResourceTypeArray:
      return locate_array(d, t);
    default:
      return {cudaErrorNotSupported, "Textures with mipmaps are not supported by the emulator."};
  }
}

/// How fetches read: what the format allows.
obstacle check_modes(const texture& t) {
  const cudaTextureDesc& how = t.description;
  if (how.readMode == cudaReadModeNormalizedFloat && t.format.kind != texel_kind::floating && t.format.bits == 32)
    return {cudaErrorInvalidNormSetting,
            "cudaReadModeNormalizedFloat makes floats of whole numbers of 8 or 16 bits; these have 32."};
  if (how.filterMode == cudaFilterModeLinear && !t.elements_only && !t.gives_floats())
    return {cudaErrorInvalidFilterSetting,
            "cudaFilterModeLinear needs texels that are read as floats: set readMode to cudaReadModeNormalizedFloat, "
            "or store "
            "floats."};
  if (how.sRGB != 0) return {cudaErrorNotSupported, "The conversion from sRGB is not supported by the emulator."};
  return {cudaSuccess, ""};
}

/// A finding at the running lane's fetch.
void report(worker& w, rule what, site where, const texture* t, std::string message) {
  running_launch& launch = w.launch();
  const variable_id variable = t == nullptr ? 0 : t->memory;
  const sighting rank{launch.info.ordinal, w.block().index, w.thread_of(w.running())};
  if (!launch.findings->first_time(what, where, 0, variable, rank)) return;
  launch.findings->add({what,
                        launch.info.kernel,
                        launch.map->name(variable),
                        w.place_of_running(where, "fetches"),
                        {},
                        std::move(message)},
                       variable, rank);
}

std::string fetch_name(bool element, const array_kind& kind) { return element ? "tex1Dfetch" : "tex" + kind.name(); }

/// Why what is fetched is not what the texture has; empty if it is.
std::string mismatch(const texture& t, unsigned type, const array_kind& kind, bool element) {
  if (element != t.elements_only || (!element && kind != t.kind)) {
    return fetch_name(element, kind) + " reads another kind of texture than this one, which is for " +
           fetch_name(t.elements_only, t.kind) +
           (t.elements_only         ? " (cudaResourceTypeLinear)."
            : t.kind.dimensions > 1 ? "."
                                    : " (an array without height).");
  }
  const auto wanted = static_cast<texel_kind>(type & 3);
  const unsigned bits = type >> 2 & 63, channels = type >> 8;
  if (t.gives_floats() && wanted != texel_kind::floating)
    return "The texture's fetches return floats, but a whole number is asked for: fetch<float>, or read whole numbers "
           "with "
           "cudaReadModeElementType.";
  if (!t.gives_floats() && wanted == texel_kind::floating)
    return "The texture's texels are whole numbers, but a float is asked for, and their bits would be taken for one: "
           "fetch the "
           "texels' own type, or let cudaReadModeNormalizedFloat make floats of them.";
  if (!t.gives_floats() && (bits != t.format.bits || wanted != t.format.kind))
    return "The fetch's type has " + std::to_string(bits) +
           (wanted == texel_kind::signed_integer ? " signed" : " unsigned") + " bits, the texture's texels " +
           std::to_string(t.format.bits) + (t.format.kind == texel_kind::signed_integer ? " signed" : " unsigned") +
           " ones a channel.";
  if (channels > t.format.channels)
    return "The fetch's type has " + std::to_string(channels) + " channels, the texture's texels " +
           std::to_string(t.format.channels) + ".";
  return "";
}

simtlab_texel fetch(cudaTextureObject_t object, unsigned type, const array_kind& kind, bool element,
                    const fetch_place& place, std::int64_t index, const void* return_address) {
  const site where = site_at(return_address);
  device& d = device::instance();
  worker* w = worker::current();
  if (is_memory_closed() || w == nullptr || !w->in_lane()) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.report_host(rule::unsupported, where, "", "Host code fetches from a texture, which only a kernel may do.");
    return {0, 0};
  }
  texture* t = d.textures.find(object);
  if (t == nullptr || !t->live)
    w->end_lane(t == nullptr ? rule::invalid_address : rule::use_after_free, where,
                t == nullptr ? "This is no texture object: cudaCreateTextureObject makes one. Did it succeed?"
                             : "The texture object was destroyed before the kernel ran.",
                stop_reason::illegal_address);
  if (!d.map.region(t->memory).live)
    w->end_lane(
        rule::use_after_free, where,
        "The memory that the texture reads was released before the kernel ran. Destroy the texture object first, and "
        "release the memory after the last kernel that fetches from it.",
        stop_reason::illegal_address);
  if (const std::string wrong = mismatch(*t, type, kind, element); !wrong.empty()) {
    report(*w, rule::texture_mismatch, where, t, wrong);
    log_texel(nullptr, t->format.bytes(), false, return_address);
    return {0, 0};
  }
  const texel_sample sample = element ? element_of(*t, index) : sample_of(*t, place);
  if (element && sample.parts[0].where == nullptr)
    report(*w, rule::texture_range, where, t,
           "tex1Dfetch reads element " + std::to_string(index) + " of a texture of " + std::to_string(t->extent[0]) +
               ", where GPUs return 0 and the guide promises nothing. Compare the index with the size first.");
  for (unsigned i = 0; i < sample.count; ++i)
    log_texel(sample.parts[i].where, t->format.bytes(), i > 0, return_address);
  const std::array<std::uint32_t, 4> value = value_of(*t, sample);
  return {value[0] | std::uint64_t{value[1]} << 32, value[2] | std::uint64_t{value[3]} << 32};
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* format, int number) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, texels) || !caller.may_load(d, format)) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    *texels = virtual_gpu::texture_linear_width;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, object) || !caller.may_load(d, resource) || !caller.may_load(d, description))
      return cudaErrorInvalidValue;
    *object = 0;
    texture t{};
    t.resource = *resource;
    t.description = *description;
    t.extent = {1, 1, 1};
    obstacle o = locate(d, t);
    if (o.error == cudaSuccess) o = check_modes(t);
    if (view != nullptr) o = {cudaErrorNotSupported, "Resource views are not supported by the emulator: pass nullptr."};
    if (o.error == cudaSuccess) {
      const memory_region* r = d.live_region(t.base, t.bytes());
      if (r == nullptr || r->space != memory_space::global)
        o = {cudaErrorInvalidValue, "The texture's " + std::to_string(t.bytes()) +
                                        " bytes do not lie in one living allocation of device memory."};
      else
        t.memory = r->id;
    }
    if (o.error != cudaSuccess) {
      d.report_host(rule::texture_mismatch, caller.where, "", "cudaCreateTextureObject: " + o.text);
      return o.error;
    }
    *object = d.textures.add(t);
    return cudaSuccess;
  }));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    texture* t = d.textures.find(object);
    if (object == 0) return cudaSuccess;
    if (t == nullptr || !t->live) return cudaErrorInvalidValue;
    t->live = false;
    return cudaSuccess;
  }));
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    const texture* t = d.textures.find(object);
    if (!caller.may_set(d, resource) || t == nullptr || !t->live) return cudaErrorInvalidValue;
    *resource = t->resource;
    return cudaSuccess;
  }));
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return error(api_call(caller, [&](device& d) -> error_code {
    const texture* t = d.textures.find(object);
    if (!caller.may_set(d, description) || t == nullptr || !t->live) return cudaErrorInvalidValue;
    *description = t->description;
    return cudaSuccess;
  }));
}

simtlab_texel simtlab_fetch(uint64_t object, unsigned type, unsigned kind, float x, float y, float z, int layer) {
  return fetch(object, type, array_kind::from_code(kind), false, {{x, y, z}, static_cast<std::uint32_t>(layer)}, 0,
               __builtin_return_address(0));
}

simtlab_texel simtlab_fetch_element(uint64_t object, unsigned type, int index) {
  return fetch(object, type, {}, true, {}, index, __builtin_return_address(0));
}

}  // extern "C"
