import { describe, expect, test } from 'vitest'
import { codeSpans, tableRows } from './markdown.ts'
import { files, read } from './repository.ts'

const page = read('SECURITY.md')

/** https://owasp.org/API-Security/editions/2023/en/0x11-t10/ */
const risks = [
  'API1:2023 Broken Object Level Authorization',
  'API2:2023 Broken Authentication',
  'API3:2023 Broken Object Property Level Authorization',
  'API4:2023 Unrestricted Resource Consumption',
  'API5:2023 Broken Function Level Authorization',
  'API6:2023 Unrestricted Access to Sensitive Business Flows',
  'API7:2023 Server Side Request Forgery',
  'API8:2023 Security Misconfiguration',
  'API9:2023 Improper Inventory Management',
  'API10:2023 Unsafe Consumption of APIs',
]

describe('the threat model', () => {
  const rows = tableRows(page).filter(([name = '']) => name.startsWith('API'))

  test('names each risk of the OWASP API Security Top 10 once', () => {
    expect(rows.map(([name]) => name)).toEqual(risks)
  })

  test.each(rows)('%s has a mitigation, and tests that exist', (_, mitigation = '', evidence = '') => {
    expect(mitigation.length).toBeGreaterThan(80)
    const tests = codeSpans(evidence)
    expect(tests.length).toBeGreaterThan(1)
    for (const file of tests) {
      expect(file).toMatch(/\.test\.ts$/)
      expect(files, file).toContain(file)
      expect(read(file), file).toMatch(/\b(?:test|describe)\b/)
    }
  })
})
