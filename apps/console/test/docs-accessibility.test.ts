import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { locales } from '@saleproof/schema/constants'
import { beforeAll, describe, expect, test } from 'vitest'
import { docsTexts } from '../src/docs/texts.ts'
import { hasHorizontalScroll, violations } from './axe.ts'
import { keys } from './records.ts'
import { useTestApp } from './test-app.ts'
import { heading } from './visitor.ts'

const app = useTestApp()

/** For people to look at; not in the repository. */
const screenshots = join(import.meta.dirname, 'screenshots')
beforeAll(async () => void (await mkdir(screenshots, { recursive: true })))

const colorSchemes = ['light', 'dark'] as const
const widths = [320, 390, 768, 1280, 1920]

describe.each(locales)('in %s', (language) => {
  describe.each(colorSchemes)('%s', (colorScheme) => {
    test.each(widths)('the API reference at %i px', async (width) => {
      const viewport = { width, height: 900 }
      const { page, expectClean, waitUntilIdle } = await app.visit({
        language,
        colorScheme,
        viewport,
        reducedMotion: 'reduce',
      })
      const texts = docsTexts(language)
      const check = async (name: string) => {
        await page.screenshot({
          path: join(screenshots, `docs-${name}-${language}-${colorScheme}-${width}.png`),
        })
        expect(await hasHorizontalScroll(page), name).toBe(false)
        expect(await violations(page), name).toEqual([])
      }
      await page.goto(`${app.url}/docs`)
      await heading(page, texts.title).waitFor()
      await waitUntilIdle()
      await check('top')

      for (const summary of await page.locator('details > summary').all()) await summary.click()
      const { title } = texts.operations.listItems
      await page.getByRole('button', { name: texts.tryIt.openNamed(title) }).click()
      await page.getByLabel(texts.tryIt.key, { exact: true }).fill(keys.production)
      await page.getByRole('button', { name: texts.tryIt.send }).click()
      await page.getByRole('heading', { name: texts.tryIt.result }).waitFor()
      const records = texts.operations.importRecords.title
      await page.getByRole('button', { name: texts.tryIt.openNamed(records) }).click()
      const menu = page.getByRole('button', { name: texts.nav.contents, exact: true })
      if (await menu.isVisible()) await menu.click()
      await waitUntilIdle()
      await check('open')
      expectClean([keys.production])
    })

    test.each(widths)('the start page and the error codes at %i px', async (width) => {
      const viewport = { width, height: 900 }
      const { page, expectClean } = await app.visit({ language, colorScheme, viewport })
      for (const path of ['/', '/docs/errors', '/docs/errors#no_items']) {
        await page.goto(app.url + path)
        const name = path.replaceAll(/\W+/g, '-')
        await page.screenshot({
          path: join(screenshots, `page${name}-${language}-${colorScheme}-${width}.png`),
        })
        expect(await page.getAttribute('html', 'lang')).toBe(language)
        expect(await hasHorizontalScroll(page), path).toBe(false)
        expect(await violations(page), path).toEqual([])
      }
      expectClean()
    })
  })
})
