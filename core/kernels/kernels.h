/* SPDX-License-Identifier: GPL-3.0-or-later
   What every kernel's file begins with: names that are seen from outside, and nothing else. */
#ifndef HOOKE_KERNELS_H
#define HOOKE_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32)
#define KERNEL __declspec(dllexport) void
#else
#define KERNEL __attribute__((visibility("default"))) void
#endif

#endif
