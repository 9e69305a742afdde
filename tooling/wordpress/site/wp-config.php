<?php

// The salts are missing: then WordPress makes them.

define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('DATABASE_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', getenv('SITE_URL'));
define('WP_SITEURL', WP_HOME);
define('WP_DEFAULT_THEME', 'plain');
// It asks no other machine for updates.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', __DIR__ . '/debug.log');
if (is_file(__DIR__ . '/proxy.php')) {
    require __DIR__ . '/proxy.php';
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
