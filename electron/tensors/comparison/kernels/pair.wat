;; Sums, counts and maxima over two float32 arrays, four elements at a time. `pairModule.ts` holds this, assembled; `pairKernels.ts` calls it.
(module
  (memory (export "memory") 16 192)

  ;; Results of `pair`, from byte 0: f64 sums of |d|, d², and of elements in groups of four with a change a², b², a·b; then of groups without one a²;
  ;; f64 largest |d|; i32 changed, beyond, sign flips, largest distance in units of the last place (as u32), f32 largest |d| / |a|, about;
  ;; i32 first and last row and column of the table that were added to.

  ;; Takes the elements of $a to $end with those of $b. $step is added to the u32 of each one's exponents, 512 a row, in
  ;; one of four tables of a megabyte from $table on: neighbours mostly have the same exponents, and an addition must wait for the one before it.
  (func (export "pair") (param $a i32) (param $b i32) (param $end i32) (param $table i32) (param $step i32) (param $rtol f64) (param $atol f64)
    (local $x v128) (local $y v128) (local $low v128) (local $high v128) (local $yLow v128) (local $yHigh v128) (local $dLow v128) (local $dHigh v128)
    (local $same v128) (local $absolute v128) (local $squares v128) (local $before v128) (local $after v128) (local $product v128) (local $largest v128)
    (local $changed v128) (local $beyond v128) (local $flips v128) (local $ulp v128) (local $ratio v128)
    (local $relative v128) (local $offset v128) (local $m v128) (local $n v128) (local $at i32)
    (local $top v128) (local $bottom v128) (local $left v128) (local $right v128)
    (local.set $top (v128.const i32x4 511 511 511 511))
    (local.set $left (v128.const i32x4 511 511 511 511))
    (local.set $relative (f64x2.splat (local.get $rtol)))
    (local.set $offset (f64x2.splat (local.get $atol)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $x (v128.load (local.get $a)))
        (local.set $y (v128.load (local.get $b)))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $low (f64x2.promote_low_f32x4 (local.get $x)))
        (local.set $high (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $x) (local.get $x))))
        (if (i32.eqz (v128.any_true (v128.xor (local.get $x) (local.get $y))))
          (then
            (local.set $same (f64x2.add (local.get $same)
              (f64x2.add (f64x2.mul (local.get $low) (local.get $low)) (f64x2.mul (local.get $high) (local.get $high)))))
            (br $next)))
        (local.set $yLow (f64x2.promote_low_f32x4 (local.get $y)))
        (local.set $yHigh (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $y) (local.get $y))))
        (local.set $before (f64x2.add (local.get $before)
          (f64x2.add (f64x2.mul (local.get $low) (local.get $low)) (f64x2.mul (local.get $high) (local.get $high)))))
        (local.set $after (f64x2.add (local.get $after)
          (f64x2.add (f64x2.mul (local.get $yLow) (local.get $yLow)) (f64x2.mul (local.get $yHigh) (local.get $yHigh)))))
        (local.set $product (f64x2.add (local.get $product)
          (f64x2.add (f64x2.mul (local.get $low) (local.get $yLow)) (f64x2.mul (local.get $high) (local.get $yHigh)))))
        (local.set $dLow (f64x2.abs (f64x2.sub (local.get $yLow) (local.get $low))))
        (local.set $dHigh (f64x2.abs (f64x2.sub (local.get $yHigh) (local.get $high))))
        (local.set $absolute (f64x2.add (local.get $absolute) (f64x2.add (local.get $dLow) (local.get $dHigh))))
        (local.set $squares (f64x2.add (local.get $squares)
          (f64x2.add (f64x2.mul (local.get $dLow) (local.get $dLow)) (f64x2.mul (local.get $dHigh) (local.get $dHigh)))))
        (local.set $largest (f64x2.pmax (local.get $largest) (f64x2.pmax (local.get $dLow) (local.get $dHigh))))
        ;; masks are -1 where they hold
        (local.set $beyond (i64x2.sub (local.get $beyond) (i64x2.add
          (f64x2.gt (local.get $dLow) (f64x2.add (local.get $offset) (f64x2.mul (local.get $relative) (f64x2.abs (local.get $low)))))
          (f64x2.gt (local.get $dHigh) (f64x2.add (local.get $offset) (f64x2.mul (local.get $relative) (f64x2.abs (local.get $high))))))))
        (local.set $changed (i32x4.sub (local.get $changed) (i32x4.ne (local.get $x) (local.get $y))))
        (local.set $flips (i32x4.sub (local.get $flips) (v128.and
          (i32x4.shr_s (v128.xor (local.get $x) (local.get $y)) (i32.const 31))
          (v128.and (f32x4.ne (local.get $x) (v128.const f32x4 0 0 0 0)) (f32x4.ne (local.get $y) (v128.const f32x4 0 0 0 0))))))
        ;; a division by zero gives an infinity, which is right, or NaN, which pmax leaves out
        (local.set $ratio (f32x4.pmax (local.get $ratio)
          (f32x4.div (f32x4.abs (f32x4.sub (local.get $y) (local.get $x))) (f32x4.abs (local.get $x)))))
        ;; floats in their order as integers: magnitudes, negated with their sign, so that both zeros are one
        (local.set $m (i32x4.shr_s (local.get $x) (i32.const 31)))
        (local.set $m (i32x4.sub (v128.xor (v128.and (local.get $x) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)) (local.get $m)) (local.get $m)))
        (local.set $n (i32x4.shr_s (local.get $y) (i32.const 31)))
        (local.set $n (i32x4.sub (v128.xor (v128.and (local.get $y) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)) (local.get $n)) (local.get $n)))
        (local.set $ulp (i32x4.max_u (local.get $ulp) (i32x4.sub
          (i32x4.max_s (local.get $m) (local.get $n)) (i32x4.min_s (local.get $m) (local.get $n)))))
        ;; exponents are in the upper halves of the doubles
        (local.set $m (i32x4.max_s (v128.const i32x4 0 0 0 0) (i32x4.sub
          (i32x4.shr_u (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $dLow) (local.get $dHigh)) (i32.const 20))
          (v128.const i32x4 873 873 873 873))))
        (local.set $n (i32x4.max_s (v128.const i32x4 0 0 0 0) (i32x4.sub
          (v128.and (v128.const i32x4 2047 2047 2047 2047)
            (i32x4.shr_u (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $low) (local.get $high)) (i32.const 20)))
          (v128.const i32x4 873 873 873 873))))
        (local.set $m (v128.and (local.get $m) (v128.const i32x4 511 511 511 511)))
        (local.set $n (v128.and (local.get $n) (v128.const i32x4 511 511 511 511)))
        (local.set $top (i32x4.min_s (local.get $top) (local.get $m)))
        (local.set $bottom (i32x4.max_s (local.get $bottom) (local.get $m)))
        (local.set $left (i32x4.min_s (local.get $left) (local.get $n)))
        (local.set $right (i32x4.max_s (local.get $right) (local.get $n)))
        (local.set $m (i32x4.add (i32x4.add (i32x4.splat (local.get $table)) (v128.const i32x4 0 0x100000 0x200000 0x300000))
          (i32x4.shl (v128.or (i32x4.shl (local.get $m) (i32.const 9)) (local.get $n)) (i32.const 2))))
        (local.set $at (i32x4.extract_lane 0 (local.get $m)))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $step)))
        (local.set $at (i32x4.extract_lane 1 (local.get $m)))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $step)))
        (local.set $at (i32x4.extract_lane 2 (local.get $m)))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $step)))
        (local.set $at (i32x4.extract_lane 3 (local.get $m)))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $step)))
        (br $next)))
    (f64.store (i32.const 0) (f64.add (f64x2.extract_lane 0 (local.get $absolute)) (f64x2.extract_lane 1 (local.get $absolute))))
    (f64.store (i32.const 8) (f64.add (f64x2.extract_lane 0 (local.get $squares)) (f64x2.extract_lane 1 (local.get $squares))))
    (f64.store (i32.const 16) (f64.add (f64x2.extract_lane 0 (local.get $before)) (f64x2.extract_lane 1 (local.get $before))))
    (f64.store (i32.const 24) (f64.add (f64x2.extract_lane 0 (local.get $after)) (f64x2.extract_lane 1 (local.get $after))))
    (f64.store (i32.const 32) (f64.add (f64x2.extract_lane 0 (local.get $product)) (f64x2.extract_lane 1 (local.get $product))))
    (f64.store (i32.const 40) (f64.add (f64x2.extract_lane 0 (local.get $same)) (f64x2.extract_lane 1 (local.get $same))))
    (f64.store (i32.const 48) (f64.max (f64x2.extract_lane 0 (local.get $largest)) (f64x2.extract_lane 1 (local.get $largest))))
    (i32.store (i32.const 56) (call $sum (local.get $changed)))
    (i32.store (i32.const 60) (i32.wrap_i64 (i64.add (i64x2.extract_lane 0 (local.get $beyond)) (i64x2.extract_lane 1 (local.get $beyond)))))
    (i32.store (i32.const 64) (call $sum (local.get $flips)))
    (local.set $ulp (i32x4.max_u (local.get $ulp) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $ulp) (local.get $ulp))))
    (local.set $ulp (i32x4.max_u (local.get $ulp) (i8x16.shuffle 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 (local.get $ulp) (local.get $ulp))))
    (i32.store (i32.const 68) (i32x4.extract_lane 0 (local.get $ulp)))
    (f32.store (i32.const 72) (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $ratio)) (f32x4.extract_lane 1 (local.get $ratio)))
      (f32.max (f32x4.extract_lane 2 (local.get $ratio)) (f32x4.extract_lane 3 (local.get $ratio)))))
    (i32.store (i32.const 76) (call $least (local.get $top)))
    (i32.store (i32.const 80) (call $most (local.get $bottom)))
    (i32.store (i32.const 84) (call $least (local.get $left)))
    (i32.store (i32.const 88) (call $most (local.get $right))))

  ;; Adds the other three tables of a megabyte to the first from $table to $end, and empties them.
  (func (export "fold") (param $table i32) (param $end i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $table) (local.get $end)))
        (v128.store (local.get $table) (i32x4.add
          (i32x4.add (v128.load (local.get $table)) (v128.load offset=0x100000 (local.get $table)))
          (i32x4.add (v128.load offset=0x200000 (local.get $table)) (v128.load offset=0x300000 (local.get $table)))))
        (v128.store offset=0x100000 (local.get $table) (v128.const i32x4 0 0 0 0))
        (v128.store offset=0x200000 (local.get $table) (v128.const i32x4 0 0 0 0))
        (v128.store offset=0x300000 (local.get $table) (v128.const i32x4 0 0 0 0))
        (local.set $table (i32.add (local.get $table) (i32.const 16)))
        (br $next))))

  (func $least (param $v v128) (result i32)
    (local.set $v (i32x4.min_s (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
    (local.set $v (i32x4.min_s (local.get $v) (i8x16.shuffle 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 (local.get $v) (local.get $v))))
    (i32x4.extract_lane 0 (local.get $v)))

  (func $most (param $v v128) (result i32)
    (local.set $v (i32x4.max_s (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
    (local.set $v (i32x4.max_s (local.get $v) (i8x16.shuffle 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 (local.get $v) (local.get $v))))
    (i32x4.extract_lane 0 (local.get $v)))

  (func $sum (param $counts v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $counts)) (i32x4.extract_lane 1 (local.get $counts)))
      (i32.add (i32x4.extract_lane 2 (local.get $counts)) (i32x4.extract_lane 3 (local.get $counts)))))

  ;; Largest |b - a| / |a| as a double; 0 / 0 is left out.
  (func (export "ratio") (param $a i32) (param $b i32) (param $end i32) (result f64)
    (local $x v128) (local $y v128) (local $largest v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $x (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $a))))
        (local.set $y (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $b))))
        (local.set $largest (f64x2.pmax (local.get $largest)
          (f64x2.div (f64x2.abs (f64x2.sub (local.get $y) (local.get $x))) (f64x2.abs (local.get $x)))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (br $next)))
    (f64.max (f64x2.extract_lane 0 (local.get $largest)) (f64x2.extract_lane 1 (local.get $largest))))

  ;; bfloat16 from $from to $end as float32 at $to: they are its upper halves.
  (func (export "widenBfloat16") (param $from i32) (param $end i32) (param $to i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (v128.store (local.get $to) (i32x4.shl (v128.load16x4_u (local.get $from)) (i32.const 16)))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (local.set $to (i32.add (local.get $to) (i32.const 16)))
        (br $next))))

  ;; float16 from $from to $end as float32 at $to. Moved to the place of a float32's digits they are 2^112 too small, subnormals as well.
  (func (export "widenFloat16") (param $from i32) (param $end i32) (param $to i32)
    (local $h v128) (local $v v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $h (v128.load16x4_u (local.get $from)))
        (local.set $v (f32x4.mul
          (i32x4.shl (v128.and (local.get $h) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff)) (i32.const 13))
          (v128.const i32x4 0x77800000 0x77800000 0x77800000 0x77800000)))
        ;; infinity and NaN have all exponent bits
        (local.set $v (v128.or (local.get $v) (v128.and
          (i32x4.ge_s (v128.and (local.get $h) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff)) (v128.const i32x4 0x7c00 0x7c00 0x7c00 0x7c00))
          (v128.const i32x4 0x7f800000 0x7f800000 0x7f800000 0x7f800000))))
        (v128.store (local.get $to) (v128.or (local.get $v) (i32x4.shl (v128.and (local.get $h) (v128.const i32x4 0x8000 0x8000 0x8000 0x8000)) (i32.const 16))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (local.set $to (i32.add (local.get $to) (i32.const 16)))
        (br $next)))))
