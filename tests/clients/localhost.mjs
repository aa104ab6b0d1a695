// What a resolver does for names below localhost, where there is none that knows them.
import dns from 'node:dns';

if (process.env.E2B_DOMAIN) {
  const { lookup } = dns;
  dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);
}
