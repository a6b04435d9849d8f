// libstdc++ writes `__attribute__((__noinline__))`, where the macro of CUDA's word must not be (../../host_defines.h).
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
