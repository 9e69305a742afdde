/**
 * ISO 4217 currencies by the number of digits of their minor unit, pinned: `Intl` follows custom, not the standard, and
 * gives other digits for AFN, HUF, IDR and more. Codes without a minor unit (XAU, XDR, XXX …) are left out; codes that
 * were withdrawn in 2023 or later (ANG, BGN, CUC, HRK, SLL, ZWL) stay, because old sales keep their currency.
 */
const codesByDigits = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
      CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK
      HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR
      MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP
      SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
      YER ZAR ZMW ZWG ZWL`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
} as const

const digitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDigits).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
)

/** Every currency code that amounts can be in, sorted. */
export const currencyCodes: readonly string[] = [...digitsByCode.keys()].sort()

/**
 * The number of decimal digits of a currency's minor unit: 0, 2, 3 or 4; `undefined` for a code that is not known.
 *
 * @example
 * currencyDigits('USD') // 2
 * currencyDigits('JPY') // 0
 */
export const currencyDigits = (currency: string): number | undefined => digitsByCode.get(currency)
