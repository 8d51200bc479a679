import type { Channel } from './world.js';

/** The value of an `Authorization` header with Basic credentials in UTF-8 (RFC 7617). */
export function basicCredentials({ username, password }: Pick<Channel, 'username' | 'password'>): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
