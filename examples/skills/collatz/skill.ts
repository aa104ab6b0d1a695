function next(n: i64): i64 {
  return n % 2 == 0 ? n / 2 : 3 * n + 1;
}

export function steps(n: i64): i32 {
  let count: i32 = 0;
  for (let at = n; at > 1; at = next(at)) count++;
  return count;
}

export function peak(n: i64): i64 {
  let highest = n;
  for (let at = n; at > 1; at = next(at)) if (at > highest) highest = at;
  return highest;
}
