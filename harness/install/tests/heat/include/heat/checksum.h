#pragma once
#ifdef __cplusplus
extern "C" {
#endif
unsigned heat_checksum(const void* data, unsigned long bytes);
#ifdef __cplusplus
}
#endif
