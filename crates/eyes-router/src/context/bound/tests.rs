use proptest::prelude::*;
