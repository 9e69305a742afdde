import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '@saleproof/debian'
import { unpackedPhp } from '@saleproof/php'
import { freePort, run, start } from '@saleproof/process'

const packages = ['wordpress', 'mariadb-server-core', 'php-cli', 'php-curl', 'php-intl', 'php-mysql']

/** Debian's WordPress, MariaDB and PHP, unpacked. */
function findWordPress() {
  let root = ''
  const php = findProgram({
    title: 'WordPress, MariaDB and PHP of Debian',
    installed: [],
    probe: ['-r', 'exit(extension_loaded("mysqli") && extension_loaded("curl") ? 0 : 1);'],
    packages,
    unpacked(folder) {
      root = folder
      return unpackedPhp(folder, ['curl', 'intl', 'mysqlnd', 'mysqli'])
    },
  })
  return { root, php }
}

/** A database without users in an empty folder. */
async function startDatabase(root: string, folder: string, env: Record<string, string | undefined>) {
  const socket = join(folder, 'database.sock')
  const data = join(folder, 'database')
  mkdirSync(data)
  const options = {
    datadir: data,
    basedir: join(root, 'usr'),
    'lc-messages-dir': join(root, 'usr/share/mysql'),
    'plugin-dir': data,
    socket,
    'pid-file': join(folder, 'database.pid'),
    'innodb-log-file-size': '8M',
    'innodb-flush-log-at-trx-commit': '0',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const flags = ['--skip-grant-tables', '--skip-networking', ...user]
  const database = start([join(root, 'usr/sbin/mariadbd'), '--no-defaults', ...args, ...flags], {
    cwd: folder,
    env,
  })
  await database.until(/ready for connections/)
  return { socket, stop: database.stop }
}

/** A new WordPress on a free port, with one plugin, which is active. */
export async function startWordPress(installPlugin: (folder: string) => void) {
  const { root, php } = findWordPress()
  const folder = mkdtempSync(join(tmpdir(), 'saleproof-wordpress-'))
  const site = join(folder, 'site')
  const from = join(root, 'usr/share/wordpress')
  const isOwn = (path: string) => !/\/wordpress\/(wp-config\.php|wp-content)$/.test(path)
  cpSync(from, site, { recursive: true, verbatimSymlinks: true, filter: isOwn })
  cpSync(join(import.meta.dirname, '../site'), site, { recursive: true })
  const plugin = join(site, 'wp-content/plugins/plugin')
  mkdirSync(plugin, { recursive: true })
  installPlugin(plugin)

  const database = await startDatabase(root, folder, php.env)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = { ...php.env, DATABASE_SOCKET: database.socket, SITE_URL: url, PHP_CLI_SERVER_WORKERS: '4' }

  async function runPhp(code: string) {
    const { stdout, stderr } = await run([php.command, ...php.args, '-r', code], { cwd: site, env })
    if (stderr) throw new Error(stderr)
    return stdout
  }
  await runPhp(
    `(new mysqli('', 'root', '', '', 0, getenv('DATABASE_SOCKET')))->query('CREATE DATABASE wordpress');`,
  )
  await runPhp(`
    define('WP_INSTALLING', true);
    function wp_new_blog_notification() {}
    require 'wp-load.php';
    require 'wp-admin/includes/upgrade.php';
    wp_install('Shop', 'ada', 'ada@example.com', true, '', 'the password');
    update_option('active_plugins', ['plugin/plugin.php']);`)
  const server = start([php.command, ...php.args, '-S', `localhost:${port}`, '-t', site], {
    cwd: site,
    env,
    group: true,
  })
  await server.until(/Development Server .* started/)
  return {
    folder: site,
    url,
    /** Runs this code in a new process, after WordPress was loaded. */
    evaluate: (code: string) => runPhp(`require 'wp-load.php'; ${code}`),
    async stop() {
      await server.interrupt()
      await database.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
