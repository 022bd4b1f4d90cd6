;; float32 arithmetic, four elements or two sums at a time. `float32Module.ts` holds this, assembled; `float32Kernels.ts` calls it.
(module
  (memory (export "memory") 4 1024)

  ;; A row product with one rounding a step: out[i][j] = f32(left[i][k] * right[k][j] + out[i][j]) from 0 in the order of k, for `rows` rows of `columns`; products and sums in double.
  (func (export "rows") (param $left i32) (param $right i32) (param $out i32) (param $rows i32) (param $depth i32) (param $columns i32)
    (local $stride i32) (local $rowEnd i32) (local $leftEnd i32) (local $r i32) (local $c i32) (local $column i32)
    (local $factor v128) (local $sum f64)
    (local $a v128) (local $b v128) (local $d v128) (local $e v128) (local $f v128) (local $g v128) (local $h v128) (local $i v128)
    (local.set $stride (i32.mul (local.get $columns) (i32.const 4)))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $leftEnd (i32.add (local.get $left) (i32.mul (local.get $depth) (i32.const 4))))
        (local.set $rowEnd (i32.add (local.get $out) (local.get $stride)))
        (local.set $column (local.get $right))
        ;; sixteen columns at a time, their sums in registers: a sum waits for its own last step, the others go on meanwhile
        (block $narrow
          (loop $sixteen
            (br_if $narrow (i32.lt_u (i32.sub (local.get $rowEnd) (local.get $out)) (i32.const 64)))
            (local.set $a (v128.const i64x2 0 0))
            (local.set $b (v128.const i64x2 0 0))
            (local.set $d (v128.const i64x2 0 0))
            (local.set $e (v128.const i64x2 0 0))
            (local.set $f (v128.const i64x2 0 0))
            (local.set $g (v128.const i64x2 0 0))
            (local.set $h (v128.const i64x2 0 0))
            (local.set $i (v128.const i64x2 0 0))
            (local.set $r (local.get $left))
            (local.set $c (local.get $column))
            (loop $step
              (local.set $factor (f64x2.promote_low_f32x4 (v128.load32_splat (local.get $r))))
              (local.set $a (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero align=4 (local.get $c)))) (local.get $a)))))
              (local.set $b (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=4 (local.get $c)))) (local.get $b)))))
              (local.set $d (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 align=4 (local.get $c)))) (local.get $d)))))
              (local.set $e (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 align=4 (local.get $c)))) (local.get $e)))))
              (local.set $f (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=32 align=4 (local.get $c)))) (local.get $f)))))
              (local.set $g (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=40 align=4 (local.get $c)))) (local.get $g)))))
              (local.set $h (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=48 align=4 (local.get $c)))) (local.get $h)))))
              (local.set $i (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add
                (f64x2.mul (local.get $factor) (f64x2.promote_low_f32x4 (v128.load64_zero offset=56 align=4 (local.get $c)))) (local.get $i)))))
              (local.set $r (i32.add (local.get $r) (i32.const 4)))
              (local.set $c (i32.add (local.get $c) (local.get $stride)))
              (br_if $step (i32.lt_u (local.get $r) (local.get $leftEnd))))
            (v128.store64_lane align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $a)))
            (v128.store64_lane offset=8 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $b)))
            (v128.store64_lane offset=16 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $d)))
            (v128.store64_lane offset=24 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $e)))
            (v128.store64_lane offset=32 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $f)))
            (v128.store64_lane offset=40 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $g)))
            (v128.store64_lane offset=48 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $h)))
            (v128.store64_lane offset=56 align=4 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $i)))
            (local.set $out (i32.add (local.get $out) (i32.const 64)))
            (local.set $column (i32.add (local.get $column) (i32.const 64)))
            (br $sixteen)))
        ;; the columns that are left over
        (block $end
          (loop $one
            (br_if $end (i32.ge_u (local.get $out) (local.get $rowEnd)))
            (local.set $sum (f64.const 0))
            (local.set $r (local.get $left))
            (local.set $c (local.get $column))
            (loop $step
              (local.set $sum (f64.promote_f32 (f32.demote_f64 (f64.add
                (f64.mul (f64.promote_f32 (f32.load (local.get $r))) (f64.promote_f32 (f32.load (local.get $c)))) (local.get $sum)))))
              (local.set $r (i32.add (local.get $r) (i32.const 4)))
              (local.set $c (i32.add (local.get $c) (local.get $stride)))
              (br_if $step (i32.lt_u (local.get $r) (local.get $leftEnd))))
            (f32.store (local.get $out) (f32.demote_f64 (local.get $sum)))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $column (i32.add (local.get $column) (i32.const 4)))
            (br $one)))
        (local.set $left (local.get $leftEnd))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $row))))

  ;; right = left + right, from right to $end; whole groups of four elements.
  (func (export "add") (param $left i32) (param $right i32) (param $end i32)
    (loop $next
      (v128.store align=4 (local.get $right) (f32x4.add (v128.load align=4 (local.get $left)) (v128.load align=4 (local.get $right))))
      (local.set $left (i32.add (local.get $left) (i32.const 16)))
      (local.set $right (i32.add (local.get $right) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $right) (local.get $end)))))

  ;; right = left * right, from right to $end; whole groups of four elements.
  (func (export "multiply") (param $left i32) (param $right i32) (param $end i32)
    (loop $next
      (v128.store align=4 (local.get $right) (f32x4.mul (v128.load align=4 (local.get $left)) (v128.load align=4 (local.get $right))))
      (local.set $left (i32.add (local.get $left) (i32.const 16)))
      (local.set $right (i32.add (local.get $right) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $right) (local.get $end))))))
