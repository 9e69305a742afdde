export { createGuard, type Guard, type GuardDecision, type GuardOptions } from './guard.ts'
