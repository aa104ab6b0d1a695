(module
  (func $positive (param $n i64) (result i64)
    (select (i64.sub (i64.const 0) (local.get $n)) (local.get $n)
      (i64.lt_s (local.get $n) (i64.const 0))))

  ;; Euclid, on numbers without signs: so the smallest of all numbers is no exception.
  (func (export "gcd") (param $a i64) (param $b i64) (result i64)
    (local $rest i64)
    (local.set $a (call $positive (local.get $a)))
    (local.set $b (call $positive (local.get $b)))
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $b)))
        (local.set $rest (i64.rem_u (local.get $a) (local.get $b)))
        (local.set $a (local.get $b))
        (local.set $b (local.get $rest))
        (br $next)))
    (local.get $a))

  (func (export "power") (param $base i64) (param $exponent i64) (param $modulus i64) (result i64)
    (local $product i64)
    (local.set $product (i64.rem_u (i64.const 1) (local.get $modulus)))
    (local.set $base (i64.rem_u (local.get $base) (local.get $modulus)))
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $exponent)))
        (if (i32.wrap_i64 (i64.and (local.get $exponent) (i64.const 1)))
          (then (local.set $product
            (i64.rem_u (i64.mul (local.get $product) (local.get $base)) (local.get $modulus)))))
        (local.set $base (i64.rem_u (i64.mul (local.get $base) (local.get $base)) (local.get $modulus)))
        (local.set $exponent (i64.shr_u (local.get $exponent) (i64.const 1)))
        (br $next)))
    (local.get $product))

  (func (export "is_prime") (param $n i64) (result i32)
    (local $d i64)
    (if (i64.lt_s (local.get $n) (i64.const 4))
      (then (return (i64.gt_s (local.get $n) (i64.const 1)))))
    (if (i64.eqz (i64.and (local.get $n) (i64.const 1)))
      (then (return (i32.const 0))))
    (local.set $d (i64.const 3))
    (loop $next
      (if (i64.gt_u (i64.mul (local.get $d) (local.get $d)) (local.get $n))
        (then (return (i32.const 1))))
      (if (i64.eqz (i64.rem_u (local.get $n) (local.get $d)))
        (then (return (i32.const 0))))
      (local.set $d (i64.add (local.get $d) (i64.const 2)))
      (br $next))
    (unreachable)))
