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
/** Those of the others that read where things are. */
const placeRules = ['target-size', 'scrollable-region-focusable']

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

/** What is behind a modal dialog is inert, and checked without it. */
const place = `[...document.querySelectorAll('dialog[open]')].at(-1) ?? document`

/** What axe finds wrong with a page. */
export async function violations(page: Page, runOnly = allRules, except: string[] = []): Promise<string[]> {
  // The content security policy blocks a script element.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axe)
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]))
  const found = (await page.evaluate(
    `axe.run(${place}, ${JSON.stringify({ ...options, runOnly, rules })}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

export const hasHorizontalScroll = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Nothing may scroll sideways at any of them: 320 px is 1280 px at 400 % (WCAG 1.4.10). */
const widths = [1920, 1280, 768, 390, 320]
const phoneWidths = [390, 320]

/** Where axe looks. In the other languages only texts differ, and their lengths matter most where there is least room. */
const widthsOfAxe = (language: Locale) => (language === 'en' ? [1280, 768, 390] : [390])

/** What is checked: a place for everything in light colours, and then where other colours could matter. */
const variantsOf = (language: Locale, ofPhone: boolean) => {
  const light = ofPhone ? phoneWidths : widths.slice(language === 'en' ? 0 : 1)
  // No colour is one of a language.
  const dark = language === 'en' ? [1280, 390].filter((width) => light.includes(width)) : []
  return [
    { colorScheme: 'light', widths: light },
    { colorScheme: 'dark', widths: dark },
  ] as const
}

/** A folder for pictures of what is checked, for people to look at. */
const screenshots = process.env.SCREENSHOTS

/** Everything but colours: the elements and which of them are seen, and where. */
const shapeOfPage = `(() => {
  const elements = [...document.querySelectorAll('*')]
  const seen = (element) => Number(element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  const place = ({ x, y, width, height }) => [x, y, width, height].join()
  return {
    content: document.documentElement.outerHTML + elements.map(seen).join(''),
    places: elements.map((element) => place(element.getBoundingClientRect())).join(' '),
  }
})()`

/** What the rules of colours read of each visible element, as a number: its style, behind those of what it is in. */
const stylesOfPage = `(() => {
  const paths = new Map()
  for (const element of document.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element)
    let path = paths.get(element.parentElement) ?? 0
    for (const letter of [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine].join())
      path = (Math.imul(path, 31) + letter.codePointAt(0)) | 0
    paths.set(element, path)
  }
  return [...new Set(paths.values())]
})()`

/** Those that were read already, on whatever page and in whichever language. */
const checkedStyles = { light: new Set<number>(), dark: new Set<number>() }

/** The dialogs and tables of which a part is out of reach: nothing scrolls them. */
const cutOff = `[...document.querySelectorAll('dialog, div:has(> table)')]
  .filter((box) => {
    const { overflowX, overflowY } = getComputedStyle(box)
    const scrolls = (overflow) => /auto|scroll/.test(overflow)
    return (
      (box.scrollHeight > box.clientHeight + 1 && !scrolls(overflowY)) ||
      (box.scrollWidth > box.clientWidth + 1 && !scrolls(overflowX))
    )
  })
  .map((box) => box.textContent)`

/** Checks what is on the page in each colour scheme and at each width, without loading it again. */
export async function checkVariants(
  { page, language, waitUntilIdle }: Visitor,
  name: string,
  { ofPhone = false } = {},
) {
  const viewport = page.viewportSize()
  const contents = new Set<string>()
  const shapes = new Set<string>()
  for (const { colorScheme, widths } of variantsOf(language, ofPhone)) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      const variant = `${name}-${language}-${colorScheme}-${width}`
      await page.setViewportSize({ width, height: 860 })
      await waitUntilIdle()
      if (screenshots) await page.screenshot({ path: join(screenshots, `${variant}.png`) })
      expect(await hasHorizontalScroll(page), variant).toBe(false)
      expect(await page.evaluate(cutOff), variant).toEqual([])
      if (!widthsOfAxe(language).includes(width)) continue
      const { content, places } = (await page.evaluate(shapeOfPage)) as { content: string; places: string }
      const shape = `${width} ${content} ${places}`
      const styles = (await page.evaluate(stylesOfPage)) as number[]
      const isNew = !contents.has(content)
      // The rules of colours take half of the time, and find nothing new in styles that they have read, but where a phone's
      // layout puts one element over another, in light colours as in dark ones.
      const areColorsNew =
        (width === 390 && colorScheme === 'light') ||
        styles.some((style) => !checkedStyles[colorScheme].has(style))
      const rules = [...(shapes.has(shape) ? [] : placeRules), ...(areColorsNew ? colorRules : [])]
      const found = isNew
        ? await violations(page, allRules, areColorsNew ? [] : colorRules)
        : rules.length
          ? await violations(page, rules)
          : []
      expect(found, variant).toEqual([])
      contents.add(content)
      shapes.add(shape)
      for (const style of styles) checkedStyles[colorScheme].add(style)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (viewport) await page.setViewportSize(viewport)
}
