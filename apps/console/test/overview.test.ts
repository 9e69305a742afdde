import { expect, test } from 'vitest'
import { codes, keys } from './records.ts'
import { useService } from './setting.ts'
import { heading } from './visitor.ts'

const setting = useService()

const validate = (purchase_code: string) =>
  fetch(`${setting.url}/api/purchases/validation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.production}` },
    body: new URLSearchParams({ purchase_code }),
  })

test('nothing yet: the way to the first proof of sale', async () => {
  const { page, go, logIn, expectClean } = await setting.visit()
  await go('/w/ada-sons')
  await logIn('ada')
  await page.getByText('Three steps to your first proof of sale').waitFor()
  await page.getByText('loses a second of these counts at most').waitFor()
  await page.getByRole('link', { name: 'To API Access' }).click()
  await heading(page, 'API Access').waitFor()
  expectClean()
})

test('validations are counted by outcome, item, key and reason, within seconds', async () => {
  for (let times = 0; times < 7; times++) await validate(codes.active)
  for (let times = 0; times < 3; times++) await validate('MANY-0001-QRST-UVWX')
  for (let times = 0; times < 2; times++) await validate('NOTHING-LIKE-THIS-CODE')
  await validate(codes.refunded)
  const { page, go, logIn, expectClean } = await setting.visit()
  const counted = async () => {
    const total = page.locator('dt', { hasText: /^Validations$/ }).locator('xpath=following-sibling::dd')
    return (await total.count()) ? total.textContent() : null
  }
  await go('/w/ada-studio?period=24h')
  await logIn('ada')
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByText('loses a second').waitFor()
        return counted()
      },
      { timeout: 30_000 },
    )
    .toBe('13')
  const card = (title: string) => page.locator('section', { has: page.getByRole('heading', { name: title }) })
  const rowsOf = async (title: string) => {
    await card(title).getByText('The numbers as a table').click()
    return card(title).getByRole('row').allTextContents()
  }
  expect(await rowsOf('By item')).toEqual(['ItemCount', 'Harbour icons7', 'Pack number 23'])
  expect((await rowsOf('By key'))[1]).toBe('production131076.9%')
  expect(await rowsOf('Why codes failed')).toEqual([
    'ReasonCountShare',
    'No purchase has the code266.7%',
    'Refunded or revoked133.3%',
  ])
  const validations = await rowsOf('Validations')
  expect(validations).toHaveLength(1 + 24)
  expect(validations.slice(1, 3).join(' ')).toContain('131021')
  // A chart is a picture with its sum in words.
  await page.getByRole('img', { name: 'Chart: 13 validations, 10 of them valid.' }).waitFor()
  for (const period of ['7 days', '30 days', '90 days']) {
    await page.getByRole('radio', { name: period }).check()
    await expect.poll(counted).toBe('13')
  }
  expect(new URL(page.url()).searchParams.get('period')).toBe('90d')
  expectClean([codes.active])
})

test('a look at a code in the console is not counted', async () => {
  const { page, go, logIn } = await setting.visit()
  await go('/w/ada-sons/check')
  await logIn('ada')
  await page.getByLabel('Purchase code').fill(codes.ofSecond)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The code is valid' }).waitFor()
  await page.waitForTimeout(2500)
  await go('/w/ada-sons')
  await page.getByText('Three steps to your first proof of sale').waitFor()
})

test('the bars have the colours of their legend, also for those who want nothing to move', async () => {
  const { page, go, logIn } = await setting.visit({ reducedMotion: 'reduce' })
  await go('/w/ada-studio?period=24h')
  await logIn('ada')
  await page.getByRole('img', { name: /^Chart: \d+ validations/ }).waitFor()
  const painted = await page.evaluate(() => {
    const canvas = document.querySelector('canvas')!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) colours.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`)
    return [...colours]
  })
  const legend = await page.evaluate(() =>
    [...document.querySelectorAll('main section:has(canvas) li > span')]
      .slice(0, 3)
      .map((swatch) => getComputedStyle(swatch).backgroundColor),
  )
  expect(legend).toHaveLength(3)
  expect(painted).toEqual(expect.arrayContaining(legend))
})
