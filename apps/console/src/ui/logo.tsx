import logo from '../design/logo.svg'

/** The name beside it says what it is. */
export const Logo = ({ size = 32 }: { size?: number }) => <img src={logo} alt="" width={size} height={size} />
