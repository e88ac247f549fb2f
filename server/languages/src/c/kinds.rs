//! The literal kinds of C and C++.

pathfinder_literals::literal_kinds! {
    /// Header in quotes: `#include "a.h"`.
    INCLUDE = "c.include";
    /// Header in angle brackets: `#include <a.h>`.
    INCLUDE_ANGLE = "c.include_angle";
}
