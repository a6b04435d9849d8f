// NVTX's marks and ranges, which name parts of a program for NVIDIA's profilers: here nobody listens, and nothing happens.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#ifdef __cplusplus
#define SIMTLAB_NVTX inline
#else
#define SIMTLAB_NVTX static inline __attribute__((unused))
#endif

// Ranges nest: a push says how deep it lies, which is known to nobody here.
SIMTLAB_NVTX void nvtxInitialize(const void*) {}
SIMTLAB_NVTX void nvtxMarkA(const char*) {}
SIMTLAB_NVTX void nvtxMarkW(const wchar_t*) {}
SIMTLAB_NVTX void nvtxMarkEx(const nvtxEventAttributes_t*) {}
SIMTLAB_NVTX int nvtxRangePushA(const char*) { return NVTX_NO_PUSH_POP_TRACKING; }
SIMTLAB_NVTX int nvtxRangePushW(const wchar_t*) { return NVTX_NO_PUSH_POP_TRACKING; }
SIMTLAB_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t*) { return NVTX_NO_PUSH_POP_TRACKING; }
SIMTLAB_NVTX int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
SIMTLAB_NVTX nvtxRangeId_t nvtxRangeStartA(const char*) { return 0; }
SIMTLAB_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t*) { return 0; }
SIMTLAB_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 0; }
SIMTLAB_NVTX void nvtxRangeEnd(nvtxRangeId_t) {}
SIMTLAB_NVTX void nvtxNameCategoryA(uint32_t, const char*) {}
SIMTLAB_NVTX void nvtxNameOsThreadA(uint32_t, const char*) {}
SIMTLAB_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return 0; }
SIMTLAB_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t) {}
SIMTLAB_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
SIMTLAB_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
SIMTLAB_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t) { return NVTX_NO_PUSH_POP_TRACKING; }
SIMTLAB_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
SIMTLAB_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
SIMTLAB_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char*) { return 0; }
SIMTLAB_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t, const char*) {}
#undef SIMTLAB_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
