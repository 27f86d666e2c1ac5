import { describe, expect, test } from 'vitest';
import { environmentProxies, environmentProxyFor } from '../../../src/api/proxies.ts';

const proxy = 'http://proxy.example.com:3128';
const of = (env: Record<string, string>, url: string): string | undefined =>
  environmentProxyFor(environmentProxies(env), new URL(url))?.href;

describe('the proxy of the environment', () => {
  test.each([
    [{ HTTPS_PROXY: proxy }, 'https://a.example.com', true],
    [{ https_proxy: proxy }, 'https://a.example.com', true],
    [{ HTTPS_PROXY: proxy }, 'http://a.example.com', false],
    [{ HTTP_PROXY: proxy }, 'http://a.example.com', true],
    [{ http_proxy: proxy }, 'http://a.example.com', true],
    [{ HTTP_PROXY: proxy }, 'https://a.example.com', false],
    [{ ALL_PROXY: proxy, all_proxy: proxy }, 'https://a.example.com', false],
    [{ HTTPS_PROXY: '' }, 'https://a.example.com', false],
    [{ HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, 'http://a.example.com', false],
  ])('%j for %s: %s', (env, url, isUsed) => {
    expect(of(env as Record<string, string>, url)).toBe(isUsed ? `${proxy}/` : undefined);
  });

  test('upper case comes first, and a value without a scheme is http', () => {
    expect(of({ HTTPS_PROXY: 'upper:1', https_proxy: 'lower:2' }, 'https://a.example.com')).toBe(
      'http://upper:1/',
    );
    expect(of({ HTTPS_PROXY: 'https://p:443' }, 'https://a.example.com')).toBe('https://p/');
  });

  test('of another scheme is rejected, with the variable', () => {
    expect(() => of({ HTTPS_PROXY: 'socks5://p:1' }, 'https://a.example.com')).toThrow('invalid HTTPS_PROXY');
    expect(of({ HTTPS_PROXY: 'socks5://p:1' }, 'https://127.0.0.1')).toBeUndefined();
  });

  test.each(['http://localhost:8200', 'http://127.0.0.1', 'http://127.9.9.9:1', 'http://[::1]:8500'])(
    'is not used for %s',
    (url) => {
      expect(of({ HTTP_PROXY: proxy, NO_PROXY: '' }, url)).toBeUndefined();
    },
  );

  // The table of golang.org/x/net/http/httpproxy (TestUseProxy), and its cases of ports and blocks.
  test.each([
    ['foobar.com, .barbaz.net', 'barbaz.net', true],
    ['foobar.com, .barbaz.net', 'www.barbaz.net', false],
    ['foobar.com, .barbaz.net', 'foobar.com', false],
    ['foobar.com, .barbaz.net', 'www.foobar.com', false],
    ['foobar.com, .barbaz.net', 'foofoobar.com', true],
    ['foobar.com, .barbaz.net', 'foobar.com.evil.net', true],
    ['*.foobar.com', 'www.foobar.com', false],
    ['*.foobar.com', 'foobar.com', true],
    ['FOOBAR.com', 'FooBar.COM', false],
    ['*', 'anything.example.com', false],
    ['a.net,*', 'anything.example.com', false],
    ['', 'anything.example.com', true],
    [' , ,', 'anything.example.com', true],
    ['192.168.1.1', '192.168.1.1', false],
    ['192.168.1.1', '192.168.1.2', true],
    ['192.168.1.0/24', '192.168.1.77', false],
    ['192.168.1.0/24', '192.168.2.77', true],
    ['10.0.0.0/8', '10.200.3.4:8200', false],
    ['2001:db8::52:0:1', '[2001:db8::52:0:1]', false],
    ['2001:db8::52:0:1', '[2001:db8::52:0:2]', true],
    ['2001:db8::/32', '[2001:db8:1::1]', false],
    ['[2001:db8::52:0:1]:443', '[2001:db8::52:0:1]', false],
    ['[2001:db8::52:0:1]:444', '[2001:db8::52:0:1]', true],
    ['foobar.com:443', 'foobar.com', false],
    ['foobar.com:8200', 'foobar.com', true],
    ['foobar.com:8200', 'www.foobar.com:8200', false],
    ['192.168.1.1:8200', '192.168.1.1:8200', false],
    ['192.168.1.1:8200', '192.168.1.1', true],
    [':443', 'foobar.com', true],
    ['1.2.3.4/99', '1.2.3.4', true],
    ['192.168.1', '192.168.1.1', true],
    ['1.1', '192.168.1.1', true],
    ['bücher.example', 'xn--bcher-kva.example', false],
  ])('NO_PROXY=%s with https://%s: through the proxy %s', (except, host, isUsed) => {
    expect(of({ HTTPS_PROXY: proxy, NO_PROXY: except }, `https://${host}`) !== undefined).toBe(isUsed);
    expect(of({ https_proxy: proxy, no_proxy: except }, `https://${host}`) !== undefined).toBe(isUsed);
  });
});
