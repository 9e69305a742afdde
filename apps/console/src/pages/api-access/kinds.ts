import type { KeyKind } from '@saleproof/schema/console'

export type { KeyKind }

export const keyKinds = ['secret', 'publishable'] as const satisfies readonly KeyKind[]
