import type { Account } from '@saleproof/schema'
import type { AccountModel } from '../../db/prisma.ts'
import { accountTable } from '../../records/account.ts'
import { createPresenter } from '../../records/present.ts'

const present = createPresenter<Account>(accountTable, 'base')

export const presentAccount = (row: AccountModel): Account => present(row)
