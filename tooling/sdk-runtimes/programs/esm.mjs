import * as sdk from '@saleproof/sdk'
import * as gate from '@saleproof/sdk/gate'
import * as guard from '@saleproof/sdk/guard'
import * as messages from '@saleproof/sdk/messages'
import * as publishable from '@saleproof/sdk/publishable'
import * as testing from '@saleproof/sdk/testing'
import { scenario } from './scenario.mjs'

console.log(
  JSON.stringify(
    await scenario({ sdk, gate, guard, messages, publishable, testing }, process.env.SALEPROOF_URL),
  ),
)
