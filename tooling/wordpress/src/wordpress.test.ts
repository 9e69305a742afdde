import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '@saleproof/faults'
import { says, startService } from '@saleproof/php/server'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startWordPress } from './site.ts'

// The plugin of clients/php/README.md in a real WordPress: nothing but the address of the service and its clock is replaced.

const client = join(import.meta.dirname, '../../../clients/php')
const code = 'SALE-0001-ABCD-EF23'
const hook = "'saleproof_refresh_icon_pack_code'"
const sold = '<i class="icon-star"></i> <i class="icon-sun"></i>'
const notSold = '[icon] [icon name="sun"]'

let service: Awaited<ReturnType<typeof startService>>
let site: Awaited<ReturnType<typeof startWordPress>>

beforeAll(async () => {
  service = await startService(says.valid)
  const [, block = ''] = /```php\n([\s\S]*?)```/.exec(readFileSync(join(client, 'README.md'), 'utf8')) ?? []
  const clock = "'now' => fn () => microtime(true) + (int) @file_get_contents(WP_CONTENT_DIR . '/clock')"
  const plugin = block
    .replace('https://api.shop.example', service.url)
    .replace("'item_id' => 101", `'item_id' => 101, ${clock}`)
  site = await startWordPress((folder) => {
    writeFileSync(join(folder, 'plugin.php'), plugin)
    cpSync(join(client, 'saleproof.php'), join(folder, 'saleproof.php'))
  })
})
afterAll(async () => {
  service?.close()
  await site?.stop()
})

const show = async () => (await fetch(site.url)).text()
let clock = 0
function pass(seconds: number) {
  clock += seconds
  writeFileSync(join(site.folder, 'wp-content/clock'), String(clock))
}

/** Signs in and gives what fetches the pages of the administration. */
async function signIn() {
  const first = await fetch(`${site.url}/wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: 'ada', pwd: 'the password', testcookie: '1' }),
  })
  const cookie = first.headers.getSetCookie().map((each) => each.split(';')[0])
  return (path: string, body?: Record<string, string>) =>
    fetch(`${site.url}/wp-admin/${path}`, {
      headers: { cookie: cookie.join('; ') },
      ...(body && { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' as const }),
    })
}

it('sells by the code that was saved in the settings', async () => {
  expect(await show()).toBe(notSold)
  expect(service.requests).toBe(0)
  const open = await signIn()
  const form = await (await open('options-general.php')).text()
  const [, nonce = ''] = /name="_wpnonce" value="(\w+)"/.exec(form) ?? []
  const others = { option_page: 'general', action: 'update', gmt_offset: '0', date_format: 'Y-m-d' }
  const saved = await open('options.php', { ...others, _wpnonce: nonce, icon_pack_code: code })
  expect(saved.status).toBe(302)
  expect(await (await open('options-general.php')).text()).toContain(`value="${code}"> Active: Icon pack`)
  expect([await show(), await show()]).toEqual([sold, sold])
  expect(service.requests).toBe(1)
})

it('keeps the grace when caches are flushed, and ends it with a refund', async () => {
  service.behaviour = says.down
  pass(86_400)
  await site.evaluate(
    `wp_cache_flush(); $wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '%transient%'");`,
  )
  expect(await show()).toBe(sold)
  service.behaviour = says.refused
  pass(60)
  expect(await show()).toBe(notSold)
  service.behaviour = says.valid
  pass(60)
  expect(await show()).toBe(sold)
})

it('asks again by WP-Cron, before a visitor would wait', async () => {
  const requests = service.requests
  const inSeconds = Number(await site.evaluate(`echo wp_next_scheduled(${hook}) - time();`))
  expect(inSeconds).toBeGreaterThan(500)
  expect(inSeconds).toBeLessThanOrEqual(600)
  service.behaviour = says.refused
  await site.evaluate(`wp_clear_scheduled_hook(${hook}); wp_schedule_single_event(time() - 1, ${hook});`)
  expect(await show()).toBe(sold)
  await expect.poll(show).toBe(notSold)
  expect(service.requests).toBe(requests + 1)
  expect(await site.evaluate(`var_export(wp_next_scheduled(${hook}) > time() + 500);`)).toBe('true')
})

it('asks through the proxy of wp-config.php', async () => {
  const proxied: unknown[] = []
  const proxy = createServer((request, response) => {
    proxied.push([request.url, request.headers['proxy-authorization']])
    says.valid(code, response)
  })
  const port = await listen(proxy)
  const file = join(site.folder, 'proxy.php')
  onTestFinished(() => {
    proxy.close()
    rmSync(file)
  })
  const define = (settings: Record<string, string>) =>
    writeFileSync(
      file,
      `<?php\n${Object.entries(settings)
        .map(([name, value]) => `define('WP_PROXY_${name}', '${value}');\n`)
        .join('')}`,
    )
  const settings = { HOST: '127.0.0.1', PORT: String(port), USERNAME: '1ada', PASSWORD: 'p:a@s/s$1' }
  service.behaviour = says.refused
  define(settings)
  pass(86_400)
  expect(await show()).toBe(sold)
  const credentials = Buffer.from('1ada:p:a@s/s$1').toString('base64')
  expect(proxied).toEqual([[`${service.url}/api/purchases/validation`, `Basic ${credentials}`]])
  define({ ...settings, BYPASS_HOSTS: '127.0.0.1' })
  pass(86_400)
  expect(await show()).toBe(notSold)
  expect(proxied).toHaveLength(1)
})

/** The state and the answers about codes. Each process has the plugin ask about its code. */
const rows = `$wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'saleproof-%' AND autoload = 'no'")`
const countRows = async () => Number(await site.evaluate(`echo count(${rows});`))

it('keeps a page waiting for 5 seconds at most where the service hangs', async () => {
  const hanging = createServer(() => {})
  const url = `http://127.0.0.1:${await listen(hanging)}`
  onTestFinished(() => {
    hanging.closeAllConnections()
    hanging.close()
  })
  const found = await site.evaluate(`
    $options = ['base_url' => '${url}', 'api_key' => 'key', 'on_unknown' => 'deny'];
    $client = Saleproof\\WordPress::client('another_code', $options);
    $start = microtime(true);
    echo $client->check('NEW-CODE')->outcome, ' ', microtime(true) - $start < 7 ? 'in time' : 'late';`)
  expect(found).toBe('unknown in time')
  await site.evaluate(`$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'saleproof-%'");`)
})

it('keeps nothing of a former code, and a bounded number of rows', async () => {
  service.behaviour = says.valid
  expect(await show()).toBe(sold)
  expect(await countRows()).toBe(2)
  await site.evaluate(`update_option('icon_pack_code', 'SALE-0002-ABCD-EF23');`)
  expect(await countRows()).toBe(2)
  await site.evaluate(`update_option('icon_pack_code', '${code}');`)
  expect(await show()).toBe(sold)
  await site.evaluate(`
    add_option('saleproof-of-a-theme', 'kept');
    $values = implode(',', array_map(fn ($n) => "('saleproof-0123456789abcdef-$n', '', 'no')", range(1, 1010)));
    $wpdb->query("INSERT INTO $wpdb->options (option_name, option_value, autoload) VALUES $values");
    (new Saleproof\\WordPress())->write('saleproof-0123456789abcdef-0', '');`)
  expect(await countRows()).toBe(1_000)
  expect(await site.evaluate(`echo get_option('saleproof-of-a-theme');`)).toBe('kept')
  await site.evaluate(
    `$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'saleproof-0123456789abcdef-%'");`,
  )
})

it('lets one process at a time change what is remembered', async () => {
  const add = `
    $store = new Saleproof\\WordPress();
    for ($left = 25; $left > 0; $left--) {
        $store->locked('saleproof-test', fn () => $store->write('saleproof-test', 1 + (int) $store->read('saleproof-test'))) || $left++;
    }`
  await Promise.all([1, 2, 3].map(() => site.evaluate(add)))
  const locked = (work: string) =>
    site.evaluate(`
      $store = new Saleproof\\WordPress();
      $name = 'saleproof-test';
      echo json_encode([$store->locked($name, ${work}), $store->read($name)]);
      $store->remove($name);`)
  // It was killed while it held the lock.
  await locked("fn () => exec('kill -9 ' . getmypid())").catch(() => {})
  expect(JSON.parse(await locked("'time'"))).toEqual([true, '75'])
})

it('remembers also where the database refuses locks', async () => {
  const found = await site.evaluate(`
    add_filter('query', fn ($sql) => str_replace('GET_LOCK(', 'NO_SUCH_LOCK(', $sql));
    $store = new Saleproof\\WordPress();
    $name = 'saleproof-test';
    echo json_encode([$store->locked($name, fn () => $store->write($name, 'kept')), $store->read($name)]);
    $store->remove($name);`)
  expect(JSON.parse(found)).toEqual([true, 'kept'])
})

it('logs no warning', () => {
  const log = readFileSync(join(site.folder, 'debug.log'), { encoding: 'utf8', flag: 'a+' })
  expect(log).not.toContain('NO_SUCH_LOCK')
  expect(log.split('\n').filter((line) => /saleproof\.php|plugin\.php/.test(line))).toEqual([])
})
