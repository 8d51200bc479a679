import { describe, expect, test } from 'vitest';
import { forwardedBy, lacksToken, refuseAdmin } from '../../../src/engine/index.js';

const elsewhere: readonly (readonly [string, string])[] = [
  ['x-forwarded-for', '203.0.113.7'],
  ['x-forwarded-for', '127.0.0.1, 203.0.113.7'],
  ['x-forwarded-host', 'public.example'],
  ['x-forwarded-proto', 'https'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 tunnel'],
  ['x-real-ip', '203.0.113.7'],
  ['x-client-ip', '203.0.113.7'],
  ['x-cluster-client-ip', '203.0.113.7'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['cf-ray', '8c5'],
  ['cdn-loop', 'cloudflare'],
  ['true-client-ip', '203.0.113.7'],
  ['fly-client-ip', '203.0.113.7'],
  ['fastly-client-ip', '203.0.113.7'],
  ['x-original-forwarded-for', '203.0.113.7'],
  ['x-envoy-external-address', '203.0.113.7'],
  ['x-azure-clientip', '203.0.113.7'],
  ['x-amzn-trace-id', 'Root=1-67'],
  ['x-vercel-forwarded-for', '203.0.113.7'],
  ['do-connecting-ip', '203.0.113.7'],
  ['ngrok-trace-id', 'abc'],
];
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
  test.each(elsewhere)('is a stranger by %s: %s', async (name, value) => {
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
