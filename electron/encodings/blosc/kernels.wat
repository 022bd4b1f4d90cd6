;; The inner loops of Blosc decoding. `kernels.ts` holds the assembled module; how to assemble it again is said there.
;; Memory is laid out by decodeBlock.ts; every region is followed by at least 64 bytes that may be read and overwritten, and the streams
;; of a block are decoded in order, so copies go 16 bytes at a time and may run over the end of what they fill.
(module
  (memory (export "memory") 1 512)

  ;; Decodes the LZ4 block [ip, iend) to exactly [op, oend); 1 when it is sound. iend - ip must be below 2^23, so that lengths cannot wrap.
  (func (export "lz4") (param $ip i32) (param $iend i32) (param $op i32) (param $oend i32) (result i32)
    (local $start i32) (local $token i32) (local $length i32) (local $more i32) (local $from i32) (local $to i32) (local $distance i32)
    (local.set $start (local.get $op))
    (block $broken
      (loop $sequence
        (br_if $broken (i32.ge_u (local.get $ip) (local.get $iend)))
        (local.set $token (i32.load8_u (local.get $ip)))
        (local.set $ip (i32.add (local.get $ip) (i32.const 1)))
        (local.set $length (i32.shr_u (local.get $token) (i32.const 4)))
        (if (i32.eq (local.get $length) (i32.const 15))
          (then
            (loop $longer
              (br_if $broken (i32.ge_u (local.get $ip) (local.get $iend)))
              (local.set $more (i32.load8_u (local.get $ip)))
              (local.set $ip (i32.add (local.get $ip) (i32.const 1)))
              (local.set $length (i32.add (local.get $length) (local.get $more)))
              (br_if $longer (i32.eq (local.get $more) (i32.const 255))))))
        (br_if $broken (i32.gt_u (local.get $length) (i32.sub (local.get $iend) (local.get $ip))))
        (br_if $broken (i32.gt_u (local.get $length) (i32.sub (local.get $oend) (local.get $op))))
        (if (i32.le_u (local.get $length) (i32.const 16))
          (then (v128.store align=1 (local.get $op) (v128.load align=1 (local.get $ip))))
          (else (memory.copy (local.get $op) (local.get $ip) (local.get $length))))
        (local.set $ip (i32.add (local.get $ip) (local.get $length)))
        (local.set $op (i32.add (local.get $op) (local.get $length)))
        (if (i32.eq (local.get $ip) (local.get $iend)) (then (return (i32.eq (local.get $op) (local.get $oend)))))
        (br_if $broken (i32.lt_u (i32.sub (local.get $iend) (local.get $ip)) (i32.const 2)))
        (local.set $distance (i32.load16_u align=1 (local.get $ip)))
        (local.set $ip (i32.add (local.get $ip) (i32.const 2)))
        (br_if $broken (i32.eqz (local.get $distance)))
        (br_if $broken (i32.gt_u (local.get $distance) (i32.sub (local.get $op) (local.get $start))))
        (local.set $length (i32.and (local.get $token) (i32.const 15)))
        (if (i32.eq (local.get $length) (i32.const 15))
          (then
            (loop $longer
              (br_if $broken (i32.ge_u (local.get $ip) (local.get $iend)))
              (local.set $more (i32.load8_u (local.get $ip)))
              (local.set $ip (i32.add (local.get $ip) (i32.const 1)))
              (local.set $length (i32.add (local.get $length) (local.get $more)))
              (br_if $longer (i32.eq (local.get $more) (i32.const 255))))))
        (local.set $length (i32.add (local.get $length) (i32.const 4)))
        (br_if $broken (i32.gt_u (local.get $length) (i32.sub (local.get $oend) (local.get $op))))
        (local.set $from (i32.sub (local.get $op) (local.get $distance)))
        (local.set $to (local.get $op))
        (local.set $op (i32.add (local.get $op) (local.get $length)))
        (if (i32.ge_u (local.get $distance) (i32.const 16))
          (then
            (loop $copy
              (v128.store align=1 (local.get $to) (v128.load align=1 (local.get $from)))
              (local.set $from (i32.add (local.get $from) (i32.const 16)))
              (local.set $to (i32.add (local.get $to) (i32.const 16)))
              (br_if $copy (i32.lt_u (local.get $to) (local.get $op)))))
          (else
            (if (i32.eq (local.get $distance) (i32.const 1))
              (then (memory.fill (local.get $to) (i32.load8_u (local.get $from)) (local.get $length)))
              (else
                (loop $copy
                  (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
                  (local.set $from (i32.add (local.get $from) (i32.const 1)))
                  (local.set $to (i32.add (local.get $to) (i32.const 1)))
                  (br_if $copy (i32.lt_u (local.get $to) (local.get $op))))))))
        (br $sequence)))
    (i32.const 0))

  ;; The elements that the vector loops leave over: [done, count) of `size` bytes each.
  (func $rest (param $planes i32) (param $count i32) (param $out i32) (param $size i32) (param $done i32)
    (local $plane i32)
    (block $end
      (loop $element
        (br_if $end (i32.ge_u (local.get $done) (local.get $count)))
        (local.set $plane (i32.const 0))
        (loop $byte
          (i32.store8
            (i32.add (local.get $out) (i32.add (i32.mul (local.get $done) (local.get $size)) (local.get $plane)))
            (i32.load8_u (i32.add (local.get $planes) (i32.add (i32.mul (local.get $plane) (local.get $count)) (local.get $done)))))
          (local.set $plane (i32.add (local.get $plane) (i32.const 1)))
          (br_if $byte (i32.lt_u (local.get $plane) (local.get $size))))
        (local.set $done (i32.add (local.get $done) (i32.const 1)))
        (br $element))))

  (func (export "unshuffle2") (param $planes i32) (param $count i32) (param $out i32)
    (local $i i32) (local $end i32) (local $to i32) (local $a v128) (local $b v128)
    (local.set $end (i32.and (local.get $count) (i32.const -16)))
    (local.set $to (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $end)))
        (local.set $a (v128.load align=1 (i32.add (local.get $planes) (local.get $i))))
        (local.set $b (v128.load align=1 (i32.add (i32.add (local.get $planes) (local.get $count)) (local.get $i))))
        (v128.store align=1 (local.get $to) (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $a) (local.get $b)))
        (v128.store offset=16 align=1 (local.get $to) (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $a) (local.get $b)))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br $next)))
    (call $rest (local.get $planes) (local.get $count) (local.get $out) (i32.const 2) (local.get $end)))

  (func (export "unshuffle4") (param $planes i32) (param $count i32) (param $out i32)
    (local $i i32) (local $end i32) (local $to i32) (local $at i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $low v128) (local $high v128)
    (local.set $end (i32.and (local.get $count) (i32.const -16)))
    (local.set $to (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $end)))
        (local.set $at (i32.add (local.get $planes) (local.get $i)))
        (local.set $a (v128.load align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $b (v128.load align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $c (v128.load align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $d (v128.load align=1 (local.get $at)))
        (local.set $low (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $a) (local.get $b)))
        (local.set $high (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $c) (local.get $d)))
        (v128.store align=1 (local.get $to) (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $low) (local.get $high)))
        (v128.store offset=16 align=1 (local.get $to) (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $low) (local.get $high)))
        (local.set $low (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $a) (local.get $b)))
        (local.set $high (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $c) (local.get $d)))
        (v128.store offset=32 align=1 (local.get $to) (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $low) (local.get $high)))
        (v128.store offset=48 align=1 (local.get $to) (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $low) (local.get $high)))
        (local.set $to (i32.add (local.get $to) (i32.const 64)))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br $next)))
    (call $rest (local.get $planes) (local.get $count) (local.get $out) (i32.const 4) (local.get $end)))

  ;; Eight planes, eight elements at a time: a 64-bit load of each plane, interleaved by bytes, pairs and quads.
  (func (export "unshuffle8") (param $planes i32) (param $count i32) (param $out i32)
    (local $i i32) (local $end i32) (local $to i32) (local $at i32)
    (local $ab v128) (local $cd v128) (local $ef v128) (local $gh v128) (local $low v128) (local $high v128)
    (local.set $end (i32.and (local.get $count) (i32.const -8)))
    (local.set $to (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $end)))
        (local.set $at (i32.add (local.get $planes) (local.get $i)))
        (local.set $low (v128.load64_zero align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $ab (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (v128.load64_zero align=1 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $low (v128.load64_zero align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $cd (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (v128.load64_zero align=1 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $low (v128.load64_zero align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $ef (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (v128.load64_zero align=1 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $low (v128.load64_zero align=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (local.set $gh (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (v128.load64_zero align=1 (local.get $at))))
        (local.set $low (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $ab) (local.get $cd)))
        (local.set $high (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $ef) (local.get $gh)))
        (v128.store align=1 (local.get $to) (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $low) (local.get $high)))
        (v128.store offset=16 align=1 (local.get $to) (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $low) (local.get $high)))
        (local.set $low (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $ab) (local.get $cd)))
        (local.set $high (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $ef) (local.get $gh)))
        (v128.store offset=32 align=1 (local.get $to) (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $low) (local.get $high)))
        (v128.store offset=48 align=1 (local.get $to) (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $low) (local.get $high)))
        (local.set $to (i32.add (local.get $to) (i32.const 64)))
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
        (br $next)))
    (call $rest (local.get $planes) (local.get $count) (local.get $out) (i32.const 8) (local.get $end))))
