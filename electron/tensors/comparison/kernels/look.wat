;; What is asked of two arrays of floats now and then, a block at a time. `lookModule.ts` holds this, assembled; `quickKernels.ts` calls it.
(module
  (import "kernels" "memory" (memory 1))

  ;; Sum of a · b of float32 numbers.
  (func (export "product") (param $x i32) (param $y i32) (param $end i32) (result f64)
    (local $sum v128) (local $other v128)
    (loop $next
          (local.set $sum (f64x2.add (local.get $sum) (f64x2.mul (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $x))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $y))))))
          (local.set $other (f64x2.add (local.get $other) (f64x2.mul (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $y))))))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (local.set $sum (f64x2.add (local.get $sum) (local.get $other)))
    (f64.add (f64x2.extract_lane 0 (local.get $sum)) (f64x2.extract_lane 1 (local.get $sum))))

  ;; Largest |b - a| / |a| as a double, of those that are as float32 at least $least; 0 / 0 is left out.
  (func (export "ratio") (param $x i32) (param $y i32) (param $end i32) (param $least f32) (result f64)
    (local $largest v128) (local $a v128) (local $limit v128)
    (local.set $limit (f32x4.splat (local.get $least)))
    (loop $next
      (local.set $a (v128.load (local.get $x)))
      (if (v128.any_true (f32x4.ge (f32x4.abs (f32x4.div (f32x4.sub (v128.load (local.get $y)) (local.get $a)) (local.get $a))) (local.get $limit)))
        (then
          (local.set $largest (f64x2.pmax (local.get $largest)
            (f64x2.div (f64x2.abs (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $y))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $x))))) (f64x2.abs (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $x)))))))
          (local.set $largest (f64x2.pmax (local.get $largest)
            (f64x2.div (f64x2.abs (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $y))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x))))) (f64x2.abs (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x)))))))))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (f64.max (f64x2.extract_lane 0 (local.get $largest)) (f64x2.extract_lane 1 (local.get $largest))))

  ;; Number of the first element with this |b - a|; -1 without one.
  (func (export "find") (param $x i32) (param $y i32) (param $end i32) (param $delta f64) (result i32)
    (local $wanted v128) (local $found i32) (local $before i32)
    (local.set $wanted (f64x2.splat (local.get $delta)))
    (loop $next
          (local.set $found (i32.or
            (i64x2.bitmask (f64x2.eq (local.get $wanted) (f64x2.abs (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $y))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=0 (local.get $x)))))))
            (i32.shl (i64x2.bitmask (f64x2.eq (local.get $wanted) (f64x2.abs (f64x2.sub (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $y))) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $x))))))) (i32.const 2))))
          (if (local.get $found) (then (return (i32.add (local.get $before) (i32.ctz (local.get $found))))))
          (local.set $before (i32.add (local.get $before) (i32.const 4)))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (i32.const -1))

  ;; Largest distance in steps from one float32 to the next; numbers in their order as integers are magnitudes, negated with their sign.
  (func (export "steps32") (param $a i32) (param $b i32) (param $end i32) (result i32)
    (local $x v128) (local $y v128) (local $largest v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $x (v128.load (local.get $a)))
        (local.set $y (v128.load (local.get $b)))
        (local.set $x (i32x4.sub
          (v128.xor (v128.and (local.get $x) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)) (i32x4.shr_s (local.get $x) (i32.const 31)))
          (i32x4.shr_s (local.get $x) (i32.const 31))))
        (local.set $y (i32x4.sub
          (v128.xor (v128.and (local.get $y) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)) (i32x4.shr_s (local.get $y) (i32.const 31)))
          (i32x4.shr_s (local.get $y) (i32.const 31))))
        (local.set $largest (i32x4.max_u (local.get $largest)
          (i32x4.sub (i32x4.max_s (local.get $x) (local.get $y)) (i32x4.min_s (local.get $x) (local.get $y)))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br $next)))
    (local.set $largest (i32x4.max_u (local.get $largest) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $largest) (local.get $largest))))
    (local.set $largest (i32x4.max_u (local.get $largest) (i8x16.shuffle 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 (local.get $largest) (local.get $largest))))
    (i32x4.extract_lane 0 (local.get $largest)))

  ;; The same of bfloat16 or float16.
  (func (export "steps16") (param $a i32) (param $b i32) (param $end i32) (result i32)
    (local $x v128) (local $y v128) (local $largest v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $x (v128.load (local.get $a)))
        (local.set $y (v128.load (local.get $b)))
        (local.set $x (i16x8.sub
          (v128.xor (v128.and (local.get $x) (v128.const i32x4 0x7fff7fff 0x7fff7fff 0x7fff7fff 0x7fff7fff)) (i16x8.shr_s (local.get $x) (i32.const 15)))
          (i16x8.shr_s (local.get $x) (i32.const 15))))
        (local.set $y (i16x8.sub
          (v128.xor (v128.and (local.get $y) (v128.const i32x4 0x7fff7fff 0x7fff7fff 0x7fff7fff 0x7fff7fff)) (i16x8.shr_s (local.get $y) (i32.const 15)))
          (i16x8.shr_s (local.get $y) (i32.const 15))))
        (local.set $largest (i16x8.max_u (local.get $largest)
          (i16x8.sub (i16x8.max_s (local.get $x) (local.get $y)) (i16x8.min_s (local.get $x) (local.get $y)))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br $next)))
    (local.set $largest (i16x8.max_u (local.get $largest) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $largest) (local.get $largest))))
    (local.set $largest (i16x8.max_u (local.get $largest) (i8x16.shuffle 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 (local.get $largest) (local.get $largest))))
    (local.set $largest (i16x8.max_u (local.get $largest) (i8x16.shuffle 2 3 0 1 2 3 0 1 2 3 0 1 2 3 0 1 (local.get $largest) (local.get $largest))))
    (i16x8.extract_lane_u 0 (local.get $largest)))

  ;; Where from $at to $end, sixteen bytes at a time, something is not 0; $end without it.
  (func (export "next") (param $at i32) (param $end i32) (result i32)
    (loop $next
      (if (v128.any_true (v128.load (local.get $at))) (then (return (local.get $at))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.get $end)))
