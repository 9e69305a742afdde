import { accountFields } from '@saleproof/schema/records'
import type { AccountModel } from '../generated/sqlite/models.ts'
import { recordTable } from './table.ts'

export const accountTable = recordTable<keyof AccountModel>()(accountFields, {
  name: 'Account',
  columns: {
    username: 'username',
    email: 'email',
    'name.firstname': 'firstname',
    'name.lastname': 'lastname',
    'name.full_name': 'fullName',
    balance: 'balance',
    currency: 'currency',
    'profile.heading': 'heading',
    'profile.description': 'description',
    'profile.contact.email': 'contactEmail',
    'profile.social_links': 'socialLinks',
    'profile.media.avatar': 'avatar',
    'profile.media.cover': 'cover',
    registered_at: 'registeredAt',
    // Kept as its hash.
    password: null,
    password_hash: 'passwordHash',
  },
  generated: { id: 'text' },
  identity: { field: 'username', column: 'username' },
  exported: { from: '"Account" t', orderBy: 't."username"' },
  check({ password, password_hash }, report) {
    if (password && password_hash) report('password', 'password_twice')
  },
})
