import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/harness.ts'
import { type Certified, certify } from './certificates.ts'
import { connectTo, startShop } from './servers.ts'

/** Who may connect, and how: the shop by TLS alone. This is checked before the name of the database. */
const rules = `
host all,replication saleproof all scram-sha-256
hostssl certified shop all scram-sha-256 clientcert=verify-ca
hostssl all shop all scram-sha-256
`

/** A server that speaks TLS, and what there is to prove who it is, and who asks. */
export async function startSecuredShop(options?: Parameters<typeof startShop>[0]) {
  const home = await temporaryFolder()
  onTestFinished(home.remove)
  const shop = await startShop(options)
  const authority = certify({ name: 'the authority of the shop' })
  const another = certify({ name: 'another authority' })
  const file = (name: string, text: string) => {
    const path = join(home.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** New connections use what was written. */
  async function reload() {
    const admin = await shop.admin()
    const { rows } = await admin.query('SELECT pg_conf_load_time() AS at, pg_reload_conf()')
    for (;;) {
      const next = await connectTo(shop.url('shop'))
      const { rows: found } = await next.query('SELECT pg_conf_load_time() > $1 AS later', [rows[0].at])
      await next.end()
      if (found[0].later) return
    }
  }

  async function present({ certificate, key }: Pick<Certified, 'certificate' | 'key'>) {
    shop.write('server.crt', certificate)
    shop.write('server.key', key)
    await reload()
  }

  const hosts = ['localhost', '127.0.0.1']
  const certificates = {
    right: certify({ name: 'database', hosts }, authority),
    ofAnother: certify({ name: 'database', hosts }, another),
    forAnotherHost: certify({ name: 'database', hosts: ['database.internal'] }, authority),
    expired: certify({ name: 'database', hosts, valid: [-30, -1] }, authority),
  }
  const client = certify({ name: 'shop', hosts: ['client'] }, authority)
  shop.write('pg_hba.conf', rules)
  shop.write('root.crt', authority.certificate)
  shop.write('server.crt', certificates.right.certificate)
  shop.write('server.key', certificates.right.key)
  const admin = await shop.admin()
  await admin.query(`ALTER SYSTEM SET ssl_ca_file = 'root.crt'`)
  await admin.query('ALTER SYSTEM SET ssl = on')
  await reload()
  return {
    shop,
    present,
    certificates,
    folder: home.folder,
    files: {
      authority: file('authority.crt', authority.certificate),
      another: file('another.crt', another.certificate),
      both: file('both.crt', another.certificate + authority.certificate),
      empty: file('empty.crt', ''),
      client: file('client.crt', client.certificate),
      clientKey: file('client.key', client.key),
      anotherKey: file('another.key', another.key),
    },
  }
}
