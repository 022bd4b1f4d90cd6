;; QR of a small matrix of doubles with the longest remaining column first. `pivotModule.ts` holds this, assembled; `pivotedDiagonal.ts` calls it.
(module
  (memory (export "memory") 1)

  ;; Sum of products from $x to $end, in four sums.
  (func $dot (param $x i32) (param $y i32) (param $end i32) (result f64)
    (local $one v128) (local $other v128) (local $first f64)
    (block $done
      (loop $next
        (br_if $done (i32.gt_u (i32.add (local.get $x) (i32.const 32)) (local.get $end)))
        (local.set $one (f64x2.add (local.get $one) (f64x2.mul (v128.load (local.get $x)) (v128.load (local.get $y)))))
        (local.set $other (f64x2.add (local.get $other) (f64x2.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $y)))))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (br $next)))
    (local.set $first (f64x2.extract_lane 0 (local.get $one)))
    (block $ended
      (loop $rest
        (br_if $ended (i32.ge_u (local.get $x) (local.get $end)))
        (local.set $first (f64.add (local.get $first) (f64.mul (f64.load (local.get $x)) (f64.load (local.get $y)))))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (local.set $y (i32.add (local.get $y) (i32.const 8)))
        (br $rest)))
    (f64.add
      (f64.add (local.get $first) (f64x2.extract_lane 1 (local.get $one)))
      (f64.add (f64x2.extract_lane 0 (local.get $other)) (f64x2.extract_lane 1 (local.get $other)))))

  ;; Adds $factor times $x to what is from $into to $end.
  (func $add (param $into i32) (param $x i32) (param $end i32) (param $factor f64)
    (local $factors v128)
    (local.set $factors (f64x2.splat (local.get $factor)))
    (block $done
      (loop $next
        (br_if $done (i32.gt_u (i32.add (local.get $into) (i32.const 16)) (local.get $end)))
        (v128.store (local.get $into) (f64x2.add (v128.load (local.get $into)) (f64x2.mul (local.get $factors) (v128.load (local.get $x)))))
        (local.set $into (i32.add (local.get $into) (i32.const 16)))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (br $next)))
    (if (i32.lt_u (local.get $into) (local.get $end))
      (then (f64.store (local.get $into) (f64.add (f64.load (local.get $into)) (f64.mul (local.get $factor) (f64.load (local.get $x))))))))

  ;; Columns of $bytes each from 0 to $end. Lengths of the pivots are left from $end on, up to one that is not longer than $floor. Returns how many.
  (func (export "pivot") (param $bytes i32) (param $end i32) (param $floor f64) (result i32)
    (local $k i32) (local $j i32) (local $longest i32) (local $found i32) (local $i i32) (local $own f64) (local $squares f64) (local $length f64) (local $kept f64)
    (block $done
      (loop $column
        (br_if $done (i32.ge_u (local.get $k) (local.get $end)))
        (local.set $longest (local.get $k))
        (local.set $squares (f64.const 0))
        (local.set $j (local.get $k))
        (loop $look
          (local.set $own (call $dot (local.get $j) (local.get $j) (i32.add (local.get $j) (local.get $bytes))))
          (if (f64.gt (local.get $own) (local.get $squares))
            (then
              (local.set $longest (local.get $j))
              (local.set $squares (local.get $own))))
          (br_if $look (i32.lt_u (local.tee $j (i32.add (local.get $j) (local.get $bytes))) (local.get $end))))
        (local.set $length (f64.sqrt (local.get $squares)))
        (br_if $done (i32.eqz (f64.gt (local.get $length) (local.get $floor))))
        (f64.store (i32.add (local.get $end) (i32.shl (local.get $found) (i32.const 3))) (local.get $length))
        (local.set $found (i32.add (local.get $found) (i32.const 1)))
        ;; the pivot comes to $k, what was there to its place
        (local.set $i (i32.const 0))
        (loop $swap
          (local.set $kept (f64.load (i32.add (local.get $longest) (local.get $i))))
          (f64.store (i32.add (local.get $longest) (local.get $i)) (f64.load (i32.add (local.get $k) (local.get $i))))
          (f64.store (i32.add (local.get $k) (local.get $i)) (f64.div (local.get $kept) (local.get $length)))
          (br_if $swap (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 8))) (local.get $bytes))))
        (local.set $j (i32.add (local.get $k) (local.get $bytes)))
        (block $last
          (loop $others
            (br_if $last (i32.ge_u (local.get $j) (local.get $end)))
            (call $add (local.get $j) (local.get $k) (i32.add (local.get $j) (local.get $bytes))
              (f64.neg (call $dot (local.get $j) (local.get $k) (i32.add (local.get $j) (local.get $bytes)))))
            (local.set $j (i32.add (local.get $j) (local.get $bytes)))
            (br $others)))
        (local.set $k (i32.add (local.get $k) (local.get $bytes)))
        (br $column)))
    (local.get $found)))
