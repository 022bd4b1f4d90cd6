;; Which elements of two runs differ in any bit. All kernels of this file work on groups of 16 bytes: whoever fills the runs pads both alike.
(module
  (memory (export "memory") 6)

  ;; Writes the positions of the elements that differ, ascending, as i32 to $out; returns their number.
  ;; $bits: the binary logarithm of an element's bytes, 0 to 4.
  (func (export "positions") (param $before i32) (param $after i32) (param $bytes i32) (param $bits i32) (param $out i32) (result i32)
    (local $end i32) (local $first i32) (local $step i32) (local $write i32) (local $mask i32) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $before) (local.get $bytes)))
    (local.set $step (i32.shr_u (i32.const 16) (local.get $bits)))
    (local.set $write (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $before) (local.get $end)))
        (local.set $a (v128.load (local.get $before)))
        (local.set $b (v128.load (local.get $after)))
        (if (v128.any_true (v128.xor (local.get $a) (local.get $b)))
          (then
            (local.set $mask (call $unequal (local.get $a) (local.get $b) (local.get $bits)))
            (loop $bit
              (i32.store (local.get $write) (i32.add (local.get $first) (i32.ctz (local.get $mask))))
              (local.set $write (i32.add (local.get $write) (i32.const 4)))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (br_if $bit (local.get $mask)))))
        (local.set $first (i32.add (local.get $first) (local.get $step)))
        (local.set $before (i32.add (local.get $before) (i32.const 16)))
        (local.set $after (i32.add (local.get $after) (i32.const 16)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $write) (local.get $out)) (i32.const 2)))

  ;; A bit for every element of a group that differs from the other's; the groups are known to differ.
  (func $unequal (param $a v128) (param $b v128) (param $bits i32) (result i32)
    (if (i32.eq (local.get $bits) (i32.const 2)) (then (return (i32x4.bitmask (i32x4.ne (local.get $a) (local.get $b))))))
    (if (i32.eq (local.get $bits) (i32.const 1)) (then (return (i16x8.bitmask (i16x8.ne (local.get $a) (local.get $b))))))
    (if (i32.eqz (local.get $bits)) (then (return (i8x16.bitmask (i8x16.ne (local.get $a) (local.get $b))))))
    (if (i32.eq (local.get $bits) (i32.const 3)) (then (return (i64x2.bitmask (i64x2.ne (local.get $a) (local.get $b))))))
    (i32.const 1)))
