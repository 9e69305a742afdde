export { countBytes, type FirstLoad, firstLoad } from './first-load.ts'
export { openBrowser } from './open-browser.ts'
