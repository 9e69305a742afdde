<?php

// As much of WordPress as the plugin of clients/php/README.md uses. Arguments: its folder, and the stored code as JSON. Prints the field of
// the settings page and what the shortcode shows, if it is there.

declare(strict_types=1);

\error_reporting(E_ALL);
const DAY_IN_SECONDS = 86400;
\define('WP_CONTENT_DIR', $argv[1]);
$hooks = [];
$shortcodes = [];
$fields = [];

function add_action(string $hook, callable $callback): void
{
    $GLOBALS['hooks'][$hook][] = $callback;
}
function add_shortcode(string $tag, callable $callback): void
{
    $GLOBALS['shortcodes'][$tag] = $callback;
}
function register_setting(string $group, string $name): void
{
}
function add_settings_field(string $id, string $title, callable $callback, string $page): void
{
    $GLOBALS['fields'][] = $callback;
}
function get_option(string $name)
{
    return \json_decode($GLOBALS['argv'][2]);
}
function wp_salt(string $scheme): string
{
    return \str_repeat("$scheme salt ", 8);
}
function esc_attr(string $text): string
{
    return \htmlspecialchars($text, ENT_QUOTES);
}
function esc_html(string $text): string
{
    return \htmlspecialchars($text, ENT_QUOTES);
}

require "$argv[1]/icon-pack.php";

foreach (['init', 'admin_init'] as $hook) {
    foreach ($hooks[$hook] as $callback) {
        $callback();
    }
}
foreach ($fields as $field) {
    $field();
}
echo '|';
foreach ($shortcodes as $shortcode) {
    echo $shortcode(['name' => 'sun']), $shortcode('');
}
