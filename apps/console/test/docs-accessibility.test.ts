import { locales } from '@saleproof/schema/constants'
import { describe, expect, test } from 'vitest'
import { docsTexts } from '../src/docs/texts.ts'
import { checkVariants } from './axe.ts'
import { documented } from './languages.ts'
import { keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

describe.each(locales)('in %s', (language) => {
  test('the API reference', async () => {
    const visitor = await app.visit({ language, reducedMotion: 'reduce' })
    const { page, waitUntilIdle } = visitor
    const texts = docsTexts(language)
    await page.goto(`${app.url}/docs`)
    await heading(page, texts.title).waitFor()
    await waitUntilIdle()
    for (const summary of await page.locator('details > summary').all()) await summary.click()
    const { title } = documented(language, 'getAccount')
    await page.getByRole('button', { name: texts.tryIt.openNamed(title) }).click()
    await page.getByLabel(texts.tryIt.key, { exact: true }).fill(keys.production)
    await page.getByRole('button', { name: texts.tryIt.send }).click()
    await page.getByRole('heading', { name: texts.tryIt.result }).waitFor()
    const records = documented(language, 'importRecords').title
    await page.getByRole('button', { name: texts.tryIt.openNamed(records) }).click()
    await checkVariants(visitor, 'docs-open')
    visitor.expectClean([keys.production])
  })

  test('the contents of the API reference on a phone', async () => {
    const visitor = await app.visit({
      language,
      viewport: { width: 390, height: 860 },
      reducedMotion: 'reduce',
    })
    const { page } = visitor
    await page.goto(`${app.url}/docs`)
    await page.getByRole('button', { name: docsTexts(language).nav.contents, exact: true }).click()
    await checkVariants(visitor, 'docs-contents', { ofPhone: true })
    visitor.expectClean()
  })

  test.each(['/', '/docs/errors', '/docs/errors#no_items'])('%s', async (path) => {
    const visitor = await app.visit({ language })
    await visitor.page.goto(app.url + path)
    await expect.poll(() => visitor.page.getAttribute('html', 'lang')).toBe(language)
    await checkVariants(visitor, `page${path.replaceAll(/\W+/g, '-')}`)
    visitor.expectClean()
  })
})
