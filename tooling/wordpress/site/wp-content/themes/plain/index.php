<?php

echo do_shortcode('[icon] [icon name="sun"]');
