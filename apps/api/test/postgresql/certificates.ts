import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

// Node.js reads certificates and makes none. What is written here is what RFC 5280 asks for at least.

const der = (tag: number, ...contents: Buffer[]) => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Buffer[]) => der(0x30, ...contents)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const octets = (content: Buffer) => der(0x04, content)
const whole = (...bytes: number[]) => der(0x02, Buffer.from(bytes))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const yes = der(0x01, Buffer.from([0xff]))

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const nameOf = (common: string) =>
  sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(common)))))
const timeBytes = (date: Date) => der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')))

const ofAuthority = sequence(objectId('551d13'), yes, octets(sequence(yes)))
const ofHosts = (hosts: readonly string[]) => {
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  )
  return sequence(objectId('551d11'), octets(sequence(...names)))
}

const day = 86_400_000

interface Request {
  name: string
  /** The hosts that it is for; an authority without. */
  hosts?: readonly string[]
  /** The days from now on which it begins and ends to be valid. */
  valid?: readonly [number, number]
}

interface Issuer {
  name: string
  privateKey: KeyObject
}

let serial = 0

/** A certificate, and its key, in PEM; its own authority signs it unless another is given. */
export function certify({ name, hosts, valid = [-1, 30] }: Request, issuer?: Issuer) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const by = issuer ?? { name, privateKey }
  const [from, to] = valid.map((days) => timeBytes(new Date(Date.now() + days * day))) as [Buffer, Buffer]
  const content = sequence(
    der(0xa0, whole(2)),
    whole(++serial),
    ecdsaWithSha256,
    nameOf(by.name),
    sequence(from, to),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(hosts ? ofHosts(hosts) : ofAuthority)),
  )
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, by.privateKey)))
  const lines = signed.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    name,
    privateKey,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

export type Certified = ReturnType<typeof certify>
