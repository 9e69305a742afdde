import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Locale } from '@saleproof/schema'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Visitor } from './visitor.ts'

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Those of them that read colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

const options = {
  resultTypes: ['violations'],
  // axe cannot run in the sandboxed media frame.
  iframes: false,
}

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary: string }[]
}

/** What axe finds wrong with a page. */
export async function violations(page: Page, runOnly = allRules, except: string[] = []): Promise<string[]> {
  // The content security policy blocks a script element.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe)
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]))
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...options, runOnly, rules })}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

export const hasHorizontalScroll = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const colorSchemes = ['light', 'dark'] as const
/** Nothing may scroll sideways at any of them: 320 px is 1280 px at 400 % (WCAG 1.4.10). */
const widths = [1920, 1280, 768, 390, 320]

/** Where axe looks. In the other languages only texts differ, and their lengths matter most where there is least room. */
const widthsOfAxe = (language: Locale) => (language === 'en' ? [1280, 768, 390] : [390])

/** A folder for pictures of what is checked, for people to look at. */
const screenshots = process.env.SCREENSHOTS

/** Everything but colours: the elements, and where they are seen. */
const shapeOfPage = `document.documentElement.outerHTML + [...document.querySelectorAll('*')].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })].join()
}).join(' ')`

/** What the rules of colours read of each visible element: its style, behind those of what it is in. */
const stylesOfPage = `(() => {
  const numbers = (window.numbersOfStyles ??= new Map())
  const paths = new Map()
  for (const element of document.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element)
    const style = [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine].join()
    if (!numbers.has(style)) numbers.set(style, numbers.size)
    paths.set(element, (paths.get(element.parentElement) ?? '') + '/' + numbers.get(style))
  }
  return [...new Set(paths.values())]
})()`

/** Checks what is on the page in each colour scheme and at each width, without loading it again. */
export async function checkVariants({ page, language, waitUntilIdle }: Visitor, name: string) {
  const viewport = page.viewportSize()
  const shapes = new Map<number, unknown>()
  for (const colorScheme of colorSchemes) {
    const checkedStyles = new Set<string>()
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      const variant = `${name}-${language}-${colorScheme}-${width}`
      await page.setViewportSize({ width, height: 860 })
      await waitUntilIdle()
      if (screenshots) await page.screenshot({ path: join(screenshots, `${variant}.png`) })
      expect(await hasHorizontalScroll(page), variant).toBe(false)
      if (!widthsOfAxe(language).includes(width)) continue
      const shape = await page.evaluate(shapeOfPage)
      const isShapeChecked = shape === shapes.get(width)
      const styles = (await page.evaluate(stylesOfPage)) as string[]
      // The rules of colours take half of the time, and find nothing new in styles that they have read, but where a phone's
      // layout puts one element over another.
      const areColorsChecked = width !== 390 && styles.every((style) => checkedStyles.has(style))
      const found =
        isShapeChecked && areColorsChecked
          ? []
          : await violations(page, isShapeChecked ? colorRules : allRules, areColorsChecked ? colorRules : [])
      expect(found, variant).toEqual([])
      shapes.set(width, shape)
      for (const style of styles) checkedStyles.add(style)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (viewport) await page.setViewportSize(viewport)
}
