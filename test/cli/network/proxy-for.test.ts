import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../../src/cli/network/proxy.js';

const PROXY = 'http://proxy.test:3128';

describe('the proxy of a URL', () => {
  test.each<[what: string, url: string, env: Record<string, string>, used: string | undefined]>([
    ['no variable', 'https://a.test', {}, undefined],
    ['HTTPS_PROXY', 'https://a.test', { HTTPS_PROXY: PROXY }, 'HTTPS_PROXY'],
    ['HTTPS_PROXY, for http', 'http://a.test', { HTTPS_PROXY: PROXY }, undefined],
    ['HTTP_PROXY', 'http://a.test', { HTTP_PROXY: PROXY }, 'HTTP_PROXY'],
    ['HTTP_PROXY, for https', 'https://a.test', { HTTP_PROXY: PROXY }, undefined],
    ['ALL_PROXY', 'https://a.test', { ALL_PROXY: PROXY }, 'ALL_PROXY'],
    ['lower case first', 'https://a.test', { HTTPS_PROXY: 'http://other.test', https_proxy: PROXY }, 'https_proxy'],
    ['an empty variable', 'https://a.test', { HTTPS_PROXY: '' }, undefined],
    ['loopback', 'http://127.0.0.1:4000', { HTTP_PROXY: PROXY }, undefined],
    ['localhost', 'http://localhost:4000', { HTTP_PROXY: PROXY }, undefined],
    ['NO_PROXY', 'https://a.test', { HTTPS_PROXY: PROXY, NO_PROXY: 'b.test, a.test' }, undefined],
    ['NO_PROXY, a subdomain', 'https://api.a.test', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test' }, undefined],
    ['NO_PROXY with a dot', 'https://api.a.test', { HTTPS_PROXY: PROXY, NO_PROXY: '.a.test' }, undefined],
    ['NO_PROXY with a star', 'https://api.a.test', { HTTPS_PROXY: PROXY, no_proxy: '*.a.test' }, undefined],
    ['NO_PROXY, a longer name', 'https://ba.test', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test' }, 'HTTPS_PROXY'],
    ['NO_PROXY, the port', 'https://a.test', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test:443' }, undefined],
    ['NO_PROXY, another port', 'https://a.test', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test:8443' }, 'HTTPS_PROXY'],
    ['NO_PROXY for all', 'https://a.test', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
  ])('%s', (_, url, env, used) => {
    expect(proxyFor(url, env)?.variable).toBe(used);
  });

  test('a proxy without a scheme is an http one', () => {
    expect(proxyFor('https://a.test', { HTTPS_PROXY: 'proxy.test:3128' })?.url.href).toBe('http://proxy.test:3128/');
  });

  test('another scheme is refused by the name of the variable', () => {
    const env = { https_proxy: 'socks5://proxy.test' };
    expect(() => proxyFor('https://a.test', env)).toThrow(/https_proxy must be the http or https URL/);
  });
});
