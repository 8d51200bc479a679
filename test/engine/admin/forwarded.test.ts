import { describe, expect, test } from 'vitest';
import { forwardedBy, lacksToken, refuseAdmin } from '../../../src/engine/index.js';
import { forwardingHeaders } from '../../support/network/tunnel.js';

const here: readonly Readonly<Record<string, string>>[] = [
  {},
  { host: 'localhost:4653', 'user-agent': 'curl', 'x-request-id': '7', traceparent: '00-1' },
  { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost:5173', 'x-forwarded-proto': 'http' },
  { 'x-forwarded-for': '::ffff:127.0.0.1, ::1', 'x-forwarded-port': '5173' },
  { 'x-real-ip': '[::1]:5000' },
  { 'x-session-token': 'x', 'x-source-map': 'y' },
];
const local = { off: false, local: true, hasToken: undefined };
const request = new Request('http://127.0.0.1:4653/__admin/state');

describe('a caller behind a tunnel', () => {
  test.each(forwardingHeaders)('is a stranger by %s: %s', async (name, value) => {
    const headers = { host: '127.0.0.1:4653', [name]: value };
    expect(forwardedBy(headers)).toBe(name);
    const refused = refuseAdmin(request, local, headers);
    expect(refused?.status).toBe(403);
    expect(await refused!.text()).toContain(`the header \`${name}\` says that a proxy or a tunnel`);
    expect(lacksToken(request, local, headers)).toBe(true);
    expect(refuseAdmin(request, { ...local, hasToken: () => true }, headers)).toBeUndefined();
  });

  test.each(here)('is not one whose headers name this machine alone: %j', (headers) => {
    expect(forwardedBy(headers)).toBeUndefined();
    expect(refuseAdmin(request, local, headers)).toBeUndefined();
  });
});
