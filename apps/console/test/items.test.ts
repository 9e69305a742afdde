import { describe, expect, test } from 'vitest'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

async function open(path = '/w/ada-studio/items') {
  const visitor = await setting.visit()
  await visitor.go(path)
  await visitor.logIn('ada')
  return visitor
}

describe('the list', () => {
  test('is searched, filtered and sorted, and the address says how', async () => {
    const { page, expectClean } = await open()
    await page.getByText('60 items').waitFor()
    await page.getByLabel('Name, category, tag or id').fill('harbour')
    await page.getByText('1 item', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Harbour icons' }).waitFor()
    await page.waitForURL(/search=harbour/)

    await page.getByLabel('Name, category, tag or id').fill('')
    await page.getByText('60 items').waitFor()
    await page.getByLabel('Kind').selectOption('Audio')
    await page.getByText('20 items').waitFor()
    await page.getByLabel('Sort by').selectOption('Id, lowest first')
    await page.getByRole('rowheader').first().getByText('Harbour icons', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('rowheader').first().getByText('Harbour icons', { exact: true }).waitFor()
    expectClean()
  })

  test('goes on', async () => {
    const { page } = await open()
    await page.getByText('60 items').waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(60)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  test('says that nothing fits, and how to get back', async () => {
    const { page } = await open('/w/ada-studio/items?search=zzz')
    await page.getByText('No item fits').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('60 items').waitFor()
    expect(await page.getByLabel('Name, category, tag or id').inputValue()).toBe('')
  })
})

describe('an item', () => {
  test('has both shapes of its JSON beside each other', async () => {
    const { page, expectClean } = await open('/w/ada-studio/items?search=number%202&sort=id')
    await page.getByRole('link', { name: 'Pack number 2', exact: true }).click()
    await heading(page, 'Pack number 2').waitFor()
    const json = async (name: string) =>
      JSON.parse((await page.getByRole('region', { name }).textContent()) ?? '')
    const [base, extended] = [await json('Base shape'), await json('Extended shape')]
    expect([base.id, base.version, base.media.thumbnail]).toEqual([102, undefined, undefined])
    expect([extended.id, extended.version]).toEqual([102, '1.4.2'])
    await page.getByRole('link', { name: '120 purchases' }).click()
    await heading(page, 'Purchases').waitFor()
    await page.getByText('120 purchases').waitFor()
    expectClean()
  })

  test('shows a medium only when it is asked for, and tells its host nothing', async () => {
    const { media } = setting.service
    media.asked.length = 0
    const { page, complaints } = await open('/w/ada-studio/items/103')
    await heading(page, 'Pack number 3').waitFor()
    await page.waitForLoadState('networkidle')
    expect(media.asked).toEqual([])
    await page.getByRole('button', { name: 'Load preview: Thumbnail' }).click()
    await expect.poll(() => media.asked).toEqual(['/thumbnail.png'])
    const frame = page.frameLocator('iframe[title="Thumbnail"]')
    expect(await frame.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1)
    expect(complaints).toEqual([])
  })

  test.each([
    '/w/ada-studio/items/9999',
    '/w/ada-studio/items/401',
    '/w/ada-studio/items/abc',
    '/w/bob-works/items',
  ])('%s is nothing', async (path) => {
    const { page } = await open(path)
    await page.getByText('There is nothing here').waitFor()
    expect(await page.getByText('secret item').count()).toBe(0)
  })
})
