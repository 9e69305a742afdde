import type { Profile } from '../profile.ts'
import { edd } from './edd.ts'
import { gumroad } from './gumroad.ts'
import { lemonsqueezy } from './lemonsqueezy.ts'
import { none } from './none.ts'
import { payhip } from './payhip.ts'
import { shopify } from './shopify.ts'
import { stripe } from './stripe.ts'
import { woocommerce } from './woocommerce.ts'

/** The first that recognises a file reads it; the last one takes any. */
export const profiles: readonly Profile[] = [
  gumroad,
  lemonsqueezy,
  payhip,
  shopify,
  edd,
  woocommerce,
  stripe,
  none,
]
