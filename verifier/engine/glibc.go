package engine

import "C" // for glibc.c: without it, Go ignores C files
